package main

import (
	"encoding/json"
	"fmt"
	"hash/maphash"

	"github.com/skilleval/skilleval/results"
)

// mismatches lists what differs between two runs beside what is compared: field by field, and the cases by number.
func mismatches(runs [2]*results.Run, headers [2]results.Header) ([]string, error) {
	a, b := headers[0], headers[1]
	var out []string
	if a.DatasetDigest != b.DatasetDigest {
		cases, err := caseDifferences(runs)
		if err != nil {
			return nil, err
		}
		out = append(out, "the cases differ: "+cases)
	}
	in := [2]string{"in base", "in head"}
	out = append(out, fieldDifferences("model", a.Model, b.Model, in)...)
	out = append(out, fieldDifferences("prompt", a.Prompt, b.Prompt, in)...)
	return append(out, fieldDifferences("trials", a.Repetitions, b.Repetitions, in)...), nil
}

// caseDifferences counts the cases that only one run has, and those that are not the same in both.
func caseDifferences(runs [2]*results.Run) (string, error) {
	seed := maphash.MakeSeed()
	base := map[string]uint64{}
	onlyHead, changed := 0, 0
	each := func(run *results.Run, visit func(id string, hash uint64)) error {
		return run.Cases(func(raw json.RawMessage) error {
			var c struct{ ID string }
			if err := json.Unmarshal(raw, &c); err != nil {
				return err
			}
			visit(c.ID, maphash.Bytes(seed, raw))
			return nil
		})
	}
	if err := each(runs[0], func(id string, hash uint64) { base[id] = hash }); err != nil {
		return "", err
	}
	err := each(runs[1], func(id string, hash uint64) {
		before, known := base[id]
		switch {
		case !known:
			onlyHead++
		case before != hash:
			changed++
		}
		delete(base, id)
	})
	return fmt.Sprintf("%d only in base, %d only in head, %d changed", len(base), onlyHead, changed), err
}
