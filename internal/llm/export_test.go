package llm

// What has to agree with the transport, for the external tests.
const (
	MaxReply       = maxReply
	AttemptsHeader = attemptsHeader
)
