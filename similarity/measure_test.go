package similarity

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAgreement(t *testing.T) {
	for _, c := range []struct {
		a, b []uint32
		want float64
	}{{nil, nil, 0.5}, {[]uint32{1}, nil, 0.5}, {[]uint32{1}, []uint32{2}, 0}, {[]uint32{1, 2}, []uint32{2, 3, 4}, 0.5}, {[]uint32{2}, []uint32{1, 2}, 1}} {
		assert.Equal(t, c.want, agreement(c.a, c.b), c)
		assert.Equal(t, c.want, agreement(c.b, c.a), c)
	}
}

func TestCommonOrder(t *testing.T) {
	for _, c := range []struct {
		a, b []uint32
		want float64
	}{{nil, []uint32{1}, 0}, {[]uint32{1, 2, 3}, []uint32{1, 2, 3}, 1}, {[]uint32{1, 2, 3}, []uint32{3, 2, 1}, 1.0 / 3},
		{[]uint32{1, 9, 2, 9, 3}, []uint32{1, 2, 3}, 1}, {[]uint32{1, 2, 3, 4}, []uint32{2, 1, 4, 3}, 0.5}} {
		assert.InDelta(t, c.want, commonOrder(c.a, c.b), 1e-12, c)
		assert.InDelta(t, c.want, commonOrder(c.b, c.a), 1e-12, c)
	}
	long := make([]uint32, maxSequence)
	assert.Equal(t, 1.0, commonOrder(long, long))
}

func TestDiffers(t *testing.T) {
	assert.Equal(t, []float64{1, 0, 0, 0, 0}, []float64{differs("a", "b"), differs("a", "a"), differs("", "b"), differs("a", ""), differs("", "")})
}

func TestNamesIt(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       bool
	}{
		{"use send_mail instead", "send_mail", true}, {"send_mail", "send_mail", true}, {"use send_mail.", "send_mail", true}, {"请用send_mail。", "send_mail", true},
		{"use resend_mail", "send_mail", false}, {"use send_mail_now, or my-send_mail", "send_mail", false}, {"resend_mail, send_mail", "send_mail", true},
		{"use it", "it", false}, {"", "send", false}, {"anything", "", false}, {"用天气预报", "天气预报", true},
	} {
		assert.Equal(t, c.want, namesIt(c.text, c.name), c)
	}
}

// TestMeasureIsSymmetric compares every labelled pair both ways.
func TestMeasureIsSymmetric(t *testing.T) {
	pairs, err := Labelled()
	require.NoError(t, err)
	for _, members := range catalogues(pairs) {
		b, err := newLabelledCatalogue(context.Background(), pairs, members)
		require.NoError(t, err)
		for _, s := range b.sides {
			x, y := b.corpus.texts[s.a], b.corpus.texts[s.b]
			there, back := b.corpus.measure(x, y), b.corpus.measure(y, x)
			require.Equal(t, there.vector(), back.vector(), "%s and %s", x.name, y.name)
			for _, v := range there.vector() {
				require.False(t, math.IsNaN(v) || v < 0 || v > 1.0000001, "%s and %s: %v", x.name, y.name, there)
			}
		}
	}
}

// score is the probability of one ability for two descriptions among strangers.
func score(t *testing.T, a, b Text) float64 {
	t.Helper()
	_, s := compared(t, append([]Text{a, b}, strangersTo()...)...)
	return s
}

func text(name, description string) Text { return Text{Name: name, Description: description} }

func TestABoundaryMakesTwoSkillsLessAlike(t *testing.T) {
	a := text("send_mail", "Sends a message with attachments to a customer by mail.")
	b := text("post_letter", "Sends a message with attachments to a customer by letter.")
	plain := score(t, a, b)
	c := a
	c.Description += " Do not use for letters; use post_letter."
	named := score(t, c, b)
	assert.Less(t, named, plain-0.1, "the other skill is named")
	c = a
	c.DoNotUseWhen = []string{"a letter is wanted: post_letter"}
	assert.InDelta(t, named, score(t, c, b), 0.05, "in a list")
	c = a
	c.Description += " For letters, post_letter is better."
	assert.Less(t, score(t, c, b), plain-0.1, "named without a negative word")
	zh, other := text("fa_youjian", "给客户发送带附件的邮件通知。"), text("ji_xinjian", "给客户寄送带附件的纸质信件通知。")
	before := score(t, zh, other)
	zh.Description += "不要用于纸质信件，请用 ji_xinjian。"
	assert.Less(t, score(t, zh, other), before)
}

// TestNegativesDoNotMakeTwoSkillsAlike lets two skills exclude the same third thing.
func TestNegativesDoNotMakeTwoSkillsAlike(t *testing.T) {
	a, b := text("tax", "Computes the income tax of a household."), text("rain", "Forecasts the rain of tomorrow.")
	f, _ := compared(t, append([]Text{a, b}, strangersTo()...)...)
	a.Description += " Do not use for mortgage contracts with a variable interest."
	b.Description += " Do not use for mortgage contracts with a variable interest."
	g, s := compared(t, append([]Text{a, b}, strangersTo()...)...)
	assert.InDelta(t, f.tokens, g.tokens, 1e-9)
	assert.InDelta(t, f.grams, g.grams, 1e-9)
	assert.Less(t, s, 0.1)
	c := text("home_loan", "Explains mortgage contracts with a variable interest.")
	_, away := compared(t, append([]Text{a, c}, strangersTo()...)...)
	assert.Less(t, away, 0.1, "what one excludes is what the other is for")
}

func TestOppositesAreLessAlike(t *testing.T) {
	for _, c := range [][3]string{
		{"Encrypts a file with a password.", "Decrypts a file with a password.", "Encrypt files with a password."},
		{"Uploads a photo to the album.", "Downloads a photo from the album.", "Upload photos to an album."},
		{"用密码加密文件。", "用密码解密文件。", "使用密码对文件加密。"},
	} {
		f, opposite := compared(t, append([]Text{text("a", c[0]), text("b", c[1])}, strangersTo()...)...)
		g, same := compared(t, append([]Text{text("a", c[0]), text("b", c[2])}, strangersTo()...)...)
		assert.Equal(t, []float64{1, 0}, []float64{f.opposite, g.opposite}, c)
		assert.Less(t, opposite, same-0.2, c)
		assert.Less(t, opposite, DefaultThresholds().Near, c)
		assert.Less(t, f.actions, g.actions, c)
	}
}

func TestOptionalPartsAreNotMeasuredWhereTheyAreAbsent(t *testing.T) {
	a, b := text("a", "Books a flight to a city."), text("b", "Reserves a flight to a town.")
	a.UseWhen, a.Parameters = []string{"the user wants to fly"}, []string{"city: where to"}
	f, _ := compared(t, a, b)
	assert.True(t, math.IsNaN(f.use) && math.IsNaN(f.params))
	b.UseWhen, b.Parameters = a.UseWhen, a.Parameters
	f, _ = compared(t, a, b)
	assert.InDeltaSlice(t, []float64{1, 1}, []float64{f.use, f.params}, 1e-6)
	b.UseWhen, b.Parameters = []string{"tea is cold"}, []string{"cup: of tea"}
	f, _ = compared(t, a, b)
	assert.Equal(t, []float64{0, 0}, []float64{f.use, f.params})
}

// TestHugeHeadlinesAreMeasuredInTime compares sentences of thousands of words, each with opposites.
func TestHugeHeadlinesAreMeasuredInTime(t *testing.T) {
	var a, b strings.Builder
	for i := range 2500 {
		a.WriteString(" x" + strings.Repeat("a", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)))
		b.WriteString(" y" + strings.Repeat("b", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)))
	}
	c := corpusOf(t, text(a.String(), "encrypt"+a.String()), text(b.String(), "decrypt"+b.String()))
	for range 50 {
		f := c.measure(c.texts[0], c.texts[1])
		require.Equal(t, 1.0, f.opposite)
	}
}
