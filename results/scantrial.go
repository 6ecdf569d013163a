package results

// head reads as much of a trial as the index needs. It gives up on a trial that is an error: there are few.
func (s *scanner) head(text []byte, h *trialHead) bool {
	return s.line(text, func() bool {
		return s.object(func(name []byte) bool {
			switch string(name) {
			case "case":
				return s.str(&h.Case)
			case "arm":
				return s.word(&h.Arm)
			case "repetition":
				return s.count(&h.Repetition)
			case "error":
				return false
			}
			return s.value()
		})
	})
}

// trial reads a trial. It gives up on a member that it does not know.
func (s *scanner) trial(text []byte, t *Trial) bool {
	return s.line(text, func() bool {
		return s.object(func(name []byte) bool { return s.trialMember(name, t) })
	})
}

func (s *scanner) trialMember(name []byte, t *Trial) bool {
	switch string(name) {
	case "case":
		return s.str(&t.Case)
	case "arm":
		return s.word(&t.Arm)
	case "repetition":
		return s.count(&t.Repetition)
	case "group":
		return s.str(&t.Group)
	case "tags":
		return items(s, &t.Tags, 4, s.word)
	case "expect":
		return s.raw(&t.Expect)
	case "accept":
		return s.raw(&t.Accept)
	case "selected":
		return items(s, &t.Selected, 1, s.word)
	case "calls":
		return items(s, &t.Calls, 1, s.call)
	case "answer":
		return s.str(&t.Answer)
	case "refusal":
		return s.str(&t.Refusal)
	case "fault":
		return pointer(&t.Fault, s.problem)
	case "error":
		return pointer(&t.Error, s.problem)
	case "scores":
		return pointer(&t.Scores, s.scores)
	case "usage":
		return s.usage(&t.Usage)
	case "rounds":
		return s.count(&t.Rounds)
	case "repairs":
		return s.count(&t.Repairs)
	case "retries":
		return s.count(&t.Retries)
	case "parse_tiers":
		return s.tiers(&t.Tiers)
	case "started_at":
		return s.str(&t.StartedAt)
	case "latency_ms":
		return s.float(&t.LatencyMS)
	}
	return false
}

func (s *scanner) call(c *Call) bool {
	return s.object(func(name []byte) bool {
		switch string(name) {
		case "skill":
			return s.word(&c.Skill)
		case "args":
			return s.raw(&c.Args)
		case "level1":
			return s.word(&c.Level1)
		case "tier":
			return s.word(&c.Tier)
		case "valid":
			return s.flag(&c.Valid)
		case "first_valid":
			return s.flag(&c.FirstValid)
		case "repairs":
			return s.count(&c.Repairs)
		case "faults":
			return items(s, &c.Faults, 1, s.str)
		case "dropped":
			return items(s, &c.Dropped, 1, s.word)
		case "aliased":
			return items(s, &c.Aliased, 1, s.word)
		case "flags":
			return items(s, &c.Flags, 1, s.word)
		case "failed":
			return s.str(&c.Failed)
		}
		return false
	})
}

func (s *scanner) problem(p *Problem) bool {
	return s.object(func(name []byte) bool {
		switch string(name) {
		case "class":
			return s.word(&p.Class)
		case "message":
			return s.str(&p.Message)
		case "status":
			return s.count(&p.Status)
		}
		return false
	})
}

func (s *scanner) usage(u *Usage) bool {
	return s.object(func(name []byte) bool {
		switch string(name) {
		case "source":
			return s.word(&u.Source)
		case "prompt":
			return s.count(&u.Prompt)
		case "completion":
			return s.count(&u.Completion)
		case "level1":
			return s.tokens(&u.Level1)
		case "level2":
			return s.tokens(&u.Level2)
		}
		return false
	})
}

func (s *scanner) tokens(t *Tokens) bool {
	return s.object(func(name []byte) bool {
		switch string(name) {
		case "prompt":
			return s.count(&t.Prompt)
		case "completion":
			return s.count(&t.Completion)
		}
		return false
	})
}

func (s *scanner) scores(x *Scores) bool {
	return s.object(func(name []byte) bool {
		switch string(name) {
		case "selection":
			return s.flag(&x.Selection)
		case "level1":
			return pointer(&x.Level1, s.flag)
		case "args":
			return pointer(&x.Args, s.flag)
		case "labelled":
			return s.count(&x.Labelled)
		case "right":
			return s.count(&x.Right)
		case "arg_faults":
			return s.argFaults(&x.Faults)
		case "diffs":
			return items(s, &x.Diffs, 1, s.str)
		case "pairs":
			return items(s, &x.Pairs, 1, s.pair)
		}
		return false
	})
}

func (s *scanner) argFaults(f *ArgFaults) bool {
	return s.object(func(name []byte) bool {
		switch string(name) {
		case "missing":
			return s.count(&f.Missing)
		case "extra":
			return s.count(&f.Extra)
		case "type":
			return s.count(&f.Type)
		case "value":
			return s.count(&f.Value)
		}
		return false
	})
}

func (s *scanner) pair(p *SkillPair) bool {
	return s.object(func(name []byte) bool {
		switch string(name) {
		case "want":
			return s.word(&p.Want)
		case "got":
			return s.word(&p.Got)
		case "args":
			return pointer(&p.Args, s.flag)
		}
		return false
	})
}

func (s *scanner) tiers(into *map[string]int) bool {
	*into = make(map[string]int, 4)
	return s.object(func(name []byte) bool {
		n := 0
		if !s.count(&n) {
			return false
		}
		(*into)[s.kept(name)] = n
		return true
	})
}
