// Package match compares arguments: an expected value, which may hold matchers ({"$anyOf": […]} and the like),
// against a given one, with a diff that the verdict is made from.
//
// In pipeline order: [Compile] reads the label into a [Pattern]; [Defaults] reads the schema's defaults;
// [Pattern.Match] compares. [Pattern.Samples] and [Pattern.Literal] give concrete values to hold against a schema.
//
// Without matchers, types are exact (5 is not "5", absent is not null), numbers are compared as exact decimals (1 =
// 1.0 = 1e0), strings after Unicode NFC and trimming with case kept, objects by key, arrays in order. A matcher is
// an object with one key, at any depth:
//
//	{"$any": true}                          any value, but one must be given
//	{"$anyOf": [A, B]}                      one of several expectations
//	{"$regex": "[a-z]+"}                    a string, as a whole, in RE2 syntax
//	{"$contains": "x"}                      a string with this part, or a list with this element; a list asks for all
//	{"$ignoreCase": A}                      strings in A are compared under Unicode case folding
//	{"$approx": {"value": 3.5, "abs": 0.1}} a number within a distance, or "rel" for a share of value; edges count
//	{"$range": {"min": 1, "max": 3}}        a number within bounds, either of which may be left out; edges count
//	{"$date": {"value": "2023-10-05", "layouts": ["02.01.2006"]}}
//	                                        the same date in ISO 8601 or a listed Go layout; {"$date": "2023-10-05"} for ISO alone
//	{"$unordered": [A, B]}                  a list in any order, as a multiset, by best assignment
//	{"$subset": {"k": A}}                   an object that may have more keys
//	{"$similar": {"text": "…", "min": 0.8}} a string whose character bigrams overlap: Dice's coefficient
//	{"$absent": true}                       the key is not given
//	{"$optional": A}                        the key, or list element, is not given, or matches A
//	{"$literal": {"$any": 1}}               exactly this value: nothing inside is a matcher
package match
