// Package similarity finds pairs of descriptions that sound alike, and says why.
//
// In pipeline order, as [Find] does it: the spelling of each [Text] is made comparable and sentences that the catalogue
// shares are found; a text is taken apart into what it is for and what it is not for and read as tokens (concepts of a
// lexicon in English and Chinese, stems of words, pairs of characters of scripts without spaces); tokens are weighted by
// how rare they are in the catalogue; an inverted index, the embeddings and what a run confused offer candidate pairs;
// each is measured and scored by models fitted to labelled pairs; pairs above calibrated thresholds are explained as a
// [Pair] and joined with what reviewers [Accepted]. [Calibrate] judges the score by the labelled pairs.
package similarity
