package runner

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// unit is one trial to be done.
type unit struct {
	c          *datasets.Case
	arm        arm
	repetition int
}

func (u unit) key() results.Key {
	return results.Key{Case: u.c.ID, Arm: u.arm.name, Repetition: u.repetition}
}

// units yields the whole plan in the order that the package comment explains, one unit at a time.
func (j *job) units(yield func(unit) bool) {
	for repetition := range j.plan.Repetitions {
		for i := range j.plan.Cases {
			for k := range j.arms {
				u := unit{&j.plan.Cases[i], j.arms[(k+i+repetition)%len(j.arms)], repetition}
				if !yield(u) {
					return
				}
			}
		}
	}
}

// TrialSeed derives the seed of a trial from the run's seed, the case and the repetition: the same for every arm
// and in every session, whatever the order of work. It is between 0 and 2⁶³−1: the first 63 bits of SHA-256 over
// seed and repetition, as 8 bytes each, and the case id.
func TrialSeed(seed int64, caseID string, repetition int) int64 {
	sum := trialHash(seed, caseID, repetition)
	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

// traceID names a trial in traces: 32 hexadecimal characters, the same whenever the trial is asked again.
func traceID(seed int64, k results.Key) string {
	sum := trialHash(seed, k.Case+"\x00"+k.Arm, k.Repetition)
	return hex.EncodeToString(sum[16:])
}

func trialHash(seed int64, text string, repetition int) [sha256.Size]byte {
	b := make([]byte, 0, 128)
	b = binary.BigEndian.AppendUint64(b, uint64(seed))
	b = binary.BigEndian.AppendUint64(b, uint64(repetition))
	return sha256.Sum256(append(b, text...))
}
