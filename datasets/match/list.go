package match

// list expects an array: element by element in order, or (unordered) as a multiset.
type list struct {
	exact
	items     []node
	unordered bool
}

func (n *list) kinds() kinds { return array }

func (n *list) want() string {
	b := []byte("[")
	for i, item := range n.items {
		if i > 0 {
			b = append(b, ',')
		}
		if len(b) > 2*shownRunes {
			break
		}
		b = append(b, item.want()...)
	}
	shown := clip(string(append(b, ']')))
	if n.unordered {
		return "in any order " + shown
	}
	return shown
}

func (n *list) match(c *comparison, at *path, v *value) {
	if c.done(1) {
		return
	}
	if v.kind != array {
		c.differ(at, n, v, "")
		return
	}
	switch {
	case c.quick && (len(v.items) > len(n.items) || len(v.items) < n.needed()):
		c.found++
	case n.unordered:
		n.report(c, at, v, n.assign(c, at, v))
	case n.needed() < len(n.items):
		n.report(c, at, v, n.align(c, at, v))
	default:
		inOrder := make([]int, len(n.items))
		for i := range inOrder {
			inOrder[i] = i
			if i >= len(v.items) {
				inOrder[i] = -1
			}
		}
		n.report(c, at, v, inOrder)
	}
}

// needed counts the elements that may not be absent.
func (n *list) needed() int {
	k := 0
	for _, item := range n.items {
		if !item.optional() {
			k++
		}
	}
	return k
}

// report compares each expected element with the given one it was paired with (-1: none). Elements without a
// partner are paired with each other in order, so that one wrong element is one difference; what is left over
// is missing or extra.
func (n *list) report(c *comparison, at *path, v *value, partner []int) {
	taken := make([]bool, len(v.items))
	for _, j := range partner {
		if j >= 0 {
			taken[j] = true
		}
	}
	next := 0
	for i, item := range n.items {
		if c.done(1) {
			return
		}
		j, found := partner[i], c.found
		left := j < 0
		if left && !item.optional() {
			for next < len(taken) && taken[next] {
				next++
			}
			if next < len(taken) {
				j = next
				taken[j] = true
			}
		}
		switch {
		case j >= 0:
			item.match(c, at.item(j), &v.items[j])
			if left && c.found == found { // equal to what is wanted elsewhere: only the order is wrong
				c.fail(at.item(j), Value, item.want(), show(&v.items[j]), "in another place")
			}
		case !item.optional():
			c.fail(at.item(i), Missing, item.want(), "", "")
		}
	}
	for j := range v.items {
		if !taken[j] && !c.done(1) {
			c.fail(at.item(j), Extra, "", show(&v.items[j]), "")
		}
	}
}

// maxCells bounds the pairs of expected and given elements that are held against each other.
const maxCells = 4_000_000

// matrix holds which given element matches which expected one.
func (n *list) matrix(c *comparison, at *path, v *value) []bool {
	cells := len(n.items) * len(v.items)
	if cells > maxCells {
		*c.steps = maxSteps + 1
		return nil
	}
	ok := make([]bool, cells)
	for i, item := range n.items {
		for j := range v.items {
			if c.done(1) {
				return nil
			}
			ok[i*len(v.items)+j] = c.matches(item, at, &v.items[j])
		}
	}
	return ok
}

// assign pairs elements whatever their order: a maximum matching of the bipartite graph "matches", by augmenting
// paths (Kuhn 1955), elements that must be there first. O(V·E).
func (n *list) assign(c *comparison, at *path, v *value) []int {
	partner := unpaired(len(n.items))
	ok := n.matrix(c, at, v)
	if ok == nil {
		return partner
	}
	m := matching{ok: ok, width: len(v.items), owner: unpaired(len(v.items)), partner: partner, c: c}
	for _, wanted := range []bool{true, false} {
		for i, item := range n.items {
			if item.optional() != wanted {
				m.seen = make([]bool, len(v.items))
				m.augment(i)
			}
		}
	}
	return m.partner
}

func unpaired(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = -1
	}
	return p
}

// matching is the state of the search for augmenting paths.
type matching struct {
	ok      []bool
	width   int
	owner   []int // of a given element: the expected one it is paired with
	partner []int // of an expected element: the given one
	seen    []bool
	c       *comparison
}

// augment finds a partner for expected element i, moving others where that helps. The depth of the recursion is
// at most the number of expected elements.
func (m *matching) augment(i int) bool {
	row := m.ok[i*m.width : (i+1)*m.width]
	for j, matches := range row {
		if matches && m.owner[j] < 0 {
			m.owner[j], m.partner[i] = i, j
			return true
		}
	}
	for j, matches := range row {
		if !matches || m.seen[j] {
			continue
		}
		if m.seen[j] = true; m.c.done(1 + m.width/16) {
			return false
		}
		if m.augment(m.owner[j]) {
			m.owner[j], m.partner[i] = i, j
			return true
		}
	}
	return false
}

// align pairs elements in order where some expected ones may be absent: the alignment with the most matches,
// by dynamic programming over suffixes.
func (n *list) align(c *comparison, at *path, v *value) []int {
	partner := unpaired(len(n.items))
	ok := n.matrix(c, at, v)
	if ok == nil {
		return partner
	}
	rows, cols := len(n.items), len(v.items)
	best := make([]int32, (rows+1)*(cols+1))
	for i := rows - 1; i >= 0; i-- {
		for j := cols - 1; j >= 0; j-- {
			score := max(best[(i+1)*(cols+1)+j], best[i*(cols+1)+j+1])
			if ok[i*cols+j] {
				score = max(score, n.weight(i)+best[(i+1)*(cols+1)+j+1])
			}
			best[i*(cols+1)+j] = score
		}
	}
	for i, j := 0, 0; i < rows && j < cols; {
		here := best[i*(cols+1)+j]
		switch {
		case ok[i*cols+j] && here == n.weight(i)+best[(i+1)*(cols+1)+j+1]:
			partner[i] = j
			i, j = i+1, j+1
		case here == best[(i+1)*(cols+1)+j]:
			i++
		default:
			j++
		}
	}
	return partner
}

// weight prefers elements that must be there.
func (n *list) weight(i int) int32 {
	if n.items[i].optional() {
		return 1
	}
	return 2
}
