// Package tokens counts the tokens of a text in the o200k_base encoding, the one of the current OpenAI models.
//
// The vocabulary is loaded on the first [Count], not at program start. Counts of other model families differ;
// a server's own usage figures are always preferred, and what is counted here is marked as estimated.
package tokens
