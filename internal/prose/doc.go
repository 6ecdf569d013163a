// Package prose reads English and Chinese text as words. The offline model and the similarity of descriptions read by the
// same rules.
//
// In pipeline order: [Fold] makes spellings comparable; [TakeApart] cuts a description into [Sentences] and says what it
// is for and what it is not for; [IsWordRune], [IsIdeographic] and [RunLength] find words, and scripts without spaces;
// [IsStop] and [HanStopLength] leave out function words; [Stem] makes the forms of a word one.
package prose
