// Package prose reads English and Chinese text as words: folding, stems, function words, sentences, and what a
// description says it is for and not for. The offline model and the similarity of descriptions read by the same rules.
package prose
