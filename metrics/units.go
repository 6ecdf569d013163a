package metrics

// units numbers the names of clusters, from 0 in the order in which they come.
type units map[string]int32

// of returns the number of a cluster.
func (u units) of(name string) int32 {
	id, ok := u[name]
	if !ok {
		id = int32(len(u))
		u[name] = id
	}
	return id
}
