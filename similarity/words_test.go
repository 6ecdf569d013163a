package similarity

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small is a lexicon of few words, so that the tests do not depend on the whole one.
func small(t testing.TB) *lexicon {
	t.Helper()
	l, err := parseLexicon(`
# a comment
gen use | use | 使用
act send | send, sent | 发送
act translate | translate, translation | 翻译
obj bug_report | bug report | 缺陷报告
obj report | report | 报告
obj news | news | 新闻
act post | post | 发帖
obj poster | poster | 海报
qual new | new | 新的
obj air_quality | air quality index | 空气质量
obj air | air | 空气
obj api | api, application programming interface | 接口
`, "send translate\n# no\nnew news air\n")
	require.NoError(t, err)
	return l
}

func keys(tokens []token) []string {
	out := []string{}
	for _, t := range tokens {
		out = append(out, t.key)
	}
	return out
}

func TestTokenise(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"stems and function words", "Sends the invoices to a customer", "=send invoic custom"},
		{"irregular form", "It was sent", "=send"},
		{"longest phrase", "a bug report", "=bug_report"},
		{"shorter inside", "a report of a bug", "=report bug"},
		{"three words", "the air quality index, the air", "=air_quality =air"},
		{"begun phrase", "air quality", "=air qualiti"},
		{"phrase ends at a sentence", "Finds a bug. Report it", "find bug =report"},
		{"phrase ends at a clause", "bug, report; bug: report (bug) report", "bug =report bug =report bug =report"},
		{"phrase ends at a Chinese stop", "bug。report", "bug =report"},
		{"phrase ends at Chinese words", "bug翻译report", "bug =translate =report"},
		{"phrase goes across what joins", "bug-report bug_report bug\nreport", "=bug_report =bug_report =bug_report"},
		{"news is not new", "news of new things", "=news =new"},
		{"plural is not the stem of another word", "Posters and post, a poster", "=poster =post =poster"},
		{"chinese phrases", "翻译新闻", "=translate =news"},
		{"chinese longest", "空气质量和空气", "=air_quality =air"},
		{"chinese pairs of characters", "机器猫", "机器 器猫"},
		{"a lone character", "猫", "猫"},
		{"function words cut", "请翻译我的猫", "=translate 猫"},
		{"mixed", "用API翻译PDF文档", "用 =api =translate pdf 文档"},
		{"cyrillic", "Перевод текста на русский", "перевод текста на русский"},
		{"one letter of any script", "я и x", ""},
		{"digits", "Windows 7 x 42", "window 7 42"},
		{"thai", "แปลภาษา", "แป ปล ลภ ภา าษ ษา"},
		{"hangul", "번역기", "번역 역기"},
		{"emoji alone", "🎉 🎊!", "🎉 🎊"},
		{"emoji with selectors and joiners", "❤\ufe0f ☀\ufe0f 👩\u200d🚀", "❤ ☀ 👩 🚀"},
		{"emoji beside words", "🎉 party", "parti"},
		{"function words alone", "It is on to the", ""},
		{"full-width", "ＰＤＦ　ｓｅｎｄ", "pdf =send"},
		{"zero-width", "se\u200bnd\u202e it\ufeff", "=send"},
		{"soft hyphen", "trans\u00adlate", "=translate"},
		{"composed and not", "cafe\u0301 café", "café café"},
		{"ligature", "ﬁle", "fil"},
		{"camel", "sendBugReport", "=send =bug_report"},
		{"snake", "send_bug_report", "=send =bug_report"},
		{"kebab", "send-bug-report", "=send =bug_report"},
		{"acronym in camel", "HTTPServer getAPIKey parseJSON", "http serv get =api key pars json"},
		{"plural acronyms", "APIs PDFs URLs", "=api pdf url"},
		{"capital s is no plural", "ACCESS DNS", "access dns"},
		{"signs", "C++ F# C#/F# C++11", "c++ f# c# f# c++ 11"},
		{"signs between words", "PR#12 abc+def", "pr 12 abc def"},
		{"sign at an end", "PR# go+.", "pr# go+"},
		{"contraction", "don't", ""},
		{"data, no word", strings.Repeat("a", 65) + " " + strings.Repeat("b", 64), strings.Repeat("b", 64)},
		{"length counts characters", strings.Repeat("ж", 64), strings.Repeat("ж", 64)},
		{"invalid", "\xff\xfesend\xff", "=send"},
		{"nothing", " \t\n.,;", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := normalise(c.text)
			tokens := small(t).tokenise(text)
			assert.Equal(t, c.want, strings.Join(keys(tokens), " "))
			checkPositions(t, text, tokens)
		})
	}
}

// checkPositions wants tokens in order, each a slice of the text on the borders of characters.
func checkPositions(t testing.TB, text string, tokens []token) {
	t.Helper()
	for i, k := range tokens {
		if k.from < 0 || k.from >= k.to || k.to > len(text) || !utf8.RuneStart(text[k.from]) || k.to < len(text) && !utf8.RuneStart(text[k.to]) {
			t.Fatalf("token %d %q is at %d to %d of %q", i, k.key, k.from, k.to, text)
		}
		if i > 0 && (k.from < tokens[i-1].from || k.to < tokens[i-1].to) {
			t.Fatalf("token %d %q is before the last one in %q", i, k.key, text)
		}
	}
}

func TestTokensStandWhereTheyWereRead(t *testing.T) {
	text := normalise("Sends 翻译猫猫 a Bug-Report")
	var out []string
	for _, k := range small(t).tokenise(text) {
		out = append(out, text[k.from:k.to])
	}
	assert.Equal(t, []string{"Sends", "翻译", "猫猫", "Bug-Report"}, out)
}

func TestOneConceptInBothLanguages(t *testing.T) {
	l := defaultLexicon()
	for _, c := range [][2]string{{"translate", "翻译"}, {"translation", "翻译"}, {"Translating", "翻译"}, {"invoices", "发票"}, {"smart home", "智能家居"}} {
		en, zh := keys(l.tokenise(c[0])), keys(l.tokenise(c[1]))
		require.Len(t, en, 1, c[0])
		assert.Equal(t, en, zh, c)
		assert.Equal(t, "=", en[0][:1])
	}
	assert.NotEqual(t, keys(l.tokenise("news")), keys(l.tokenise("new")))
}

func TestNormaliseIsBounded(t *testing.T) {
	assert.Equal(t, maxText, utf8.RuneCountInString(normalise(strings.Repeat("x", 1<<20))))
	assert.Equal(t, maxText, utf8.RuneCountInString(normalise(strings.Repeat("中", 1<<20))))
	assert.Equal(t, "AbC", normalise("ＡbＣ"), "case is kept")
}

func TestClipCountsCharacters(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"天气预报", 2, "天气"}, {"天气", 2, "天气"}, {"", 3, ""}, {"abc", 0, ""}} {
		assert.Equal(t, c.want, clip(c.s, c.n))
	}
}

func FuzzTokenise(f *testing.F) {
	for _, s := range []string{"", "Sends the invoices.", "翻译PDF文档", "getHTTPServers C++", "\xff\xfe", "แปล", "❤\ufe0f", "İstanbul ǅ ﬁ"} {
		f.Add(s)
	}
	l := defaultLexicon()
	f.Fuzz(func(t *testing.T, s string) {
		text := normalise(s)
		tokens := l.tokenise(text)
		checkPositions(t, text, tokens)
		for _, k := range tokens {
			if k.key == "" {
				t.Fatalf("empty key in %q", text)
			}
		}
		if again := l.tokenise(text); !slices.Equal(tokens, again) {
			t.Fatal("another result")
		}
	})
}
