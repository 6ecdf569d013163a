package prose

import (
	"strings"
	"unicode/utf8"
)

// stopWords carry no evidence at all.
var stopWords = WordSet(`a an the this that these those it its i me my mine we us our ours you your yours he him his she her
they them their who whom whose which what when where why how am is are was were be been being do does did doing done have has had
having will would shall should can could may might must of to in on at by for from with without into onto over under about as than then
and or but nor so if else not no yes there here some any each every all both few more most other such only own same too very just also
please thanks thank hi hello hey ok okay sure sorry bye goodbye greetings welcome cheers oh well let lets s t d ll re ve m don doesn didn
isn aren wasn can't cannot dont im ive id up out off again now dear kindly really quite yet still because while during between
through after before above below once until upon via per etc eg ie vs much many lot lots bit one ones thing things something anything
everything nothing someone anyone everybody everyone anybody maybe perhaps however therefore instead`)

// hanStop are Chinese function words, taken out of a run of Han characters longest first. They are also where a
// run is cut.
var hanStop = WordSet(`请 请问 请你 帮 帮我 帮忙 麻烦 麻烦你 我 你 您 他 她 它 我们 你们 他们 咱们 我的 你的 的 了 着 过 地 得 吗 呢 吧 啊 呀 哦 嘛 么 是 不是 是不是 是否
想 我想 想要 要 需要 可以 能 能否 能不能 可不可以 会 会不会 有 有没有 没有 没 不 别 在 到 从 向 往 对 把 将 被 给 给我 让 和 与 及 或 或者 以及 还是 还 也 都 就 才 又 再 很 太 更 最
这 那 这个 那个 这些 那些 哪 哪些 哪个 哪里 哪儿 什么 怎么 怎么样 怎样 如何 多少 几 为什么 谁 一下 一个 一些 一点 下 个 些 之 其 于 以 为 并 并且 然后 接着 最后 先 首先 另外 如果 因为
所以 但是 但 可 可是 不过 关于 有关 谢谢 多谢 感谢 你好 您好 再见 好的 好吧 好 嗯 早上好 晚上好 下午好 辛苦了 告诉 告诉我 知道 我想知道 看看 看一下 一下子 顺便 是什么 什么是 了解 查看 看看 想知道 了解一下 未来 最近 接下来 近 目前`)

// IsStop reports whether a lower-case English word is a function word, which says nothing about a subject.
func IsStop(w string) bool { return stopWords[w] }

// HanStopLength is the length in bytes of the longest function word at the start of s, 0 when there is none.
func HanStopLength(s string) int {
	ends, n := [4]int{}, 0
	for i, r := range s {
		if n == len(ends) {
			break
		}
		ends[n] = i + utf8.RuneLen(r)
		n++
	}
	for n--; n >= 0; n-- {
		if ends[n] <= len(s) && hanStop[s[:ends[n]]] {
			return ends[n]
		}
	}
	return 0
}

// WordSet makes a set of the words of s.
func WordSet(s string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(s) {
		set[w] = true
	}
	return set
}
