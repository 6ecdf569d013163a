// Package transport holds the http.RoundTrippers that stand between the client and a model server.
//
// From the client outwards: [NewRetry] repeats what failed and may succeed, [NewLimit] keeps to requests and
// tokens a minute, [Base] is the connection pool. Put them together in this order,
//
//	NewRetry(NewLimit(Base(n), limits), retries)
//
// so that every attempt, not only the first, passes the limits. Waiting for a limit does not use up the time of
// an attempt.
//
// [NewCache] stands above them and answers what was answered before, [NewRecord] above that and keeps the whole
// exchange, [NewReplay] stands in the place of all of them and needs no network.
//
// [Redact] takes secrets out of any text before it is shown or written.
package transport
