// Package llm is an [agent.Model] over any server that speaks the OpenAI Chat Completions protocol, and an [Embedder]
// over its endpoint for embeddings.
//
// In pipeline order: [New] checks a [Config] and finds the address; a request is written byte by byte in a fixed order,
// so that the same request is always the same bytes; the SDK's client sends it; the reply is read with every liberty
// that servers take; what is not a reply becomes an *[agent.ModelError] with its class. [NewEmbedder] sends and reads
// in the same way.
//
// This is the only package that imports the SDK. It is pinned at v3.44.0 on purpose: the newest release costs
// 154 s and 2.5 GB to build from cold against 39 s, with the same chat API. Of the SDK it uses the client
// (address, key, headers, transport), with request and response types of its own over client.Post: that costs a
// third of the typed call, and the exact bytes stay visible. Retries are those of internal/transport.
package llm
