// Package offline holds models that answer Chat Completions requests inside the process, as
// http.RoundTrippers under an ordinary client.
//
// [Lexical] is the lexical baseline: a floor that any model should beat. It sees the request body and nothing
// else, keeps no memory between requests and gives the same bytes for the same body. In pipeline order: the HTTP
// exchange (roundtrip.go, wire.go), what is being asked (request.go, events.go, catalog.go), text to terms (text.go,
// lexicon.go, and package prose), ranking the catalogue (index.go, negative.go, rank.go), parts of a request (parts.go),
// arguments from a schema (slots_*.go) and the reply (answer.go).
package offline
