package offline

import "strings"

// The lists of this file are function words and interface verbs: words that say nothing about which skill is
// meant. They hold no vocabulary of any subject.

// stopWords carry no evidence at all.
var stopWords = wordSet(`a an the this that these those it its i me my mine we us our ours you your yours he him his she her
they them their who whom whose which what when where why how am is are was were be been being do does did doing done have has had
having will would shall should can could may might must of to in on at by for from with without into onto over under about as than then
and or but nor so if else not no yes there here some any each every all both few more most other such only own same too very just also
please thanks thank hi hello hey ok okay sure sorry bye goodbye greetings welcome cheers oh well let lets s t d ll re ve m don doesn didn
isn aren wasn can't cannot dont im ive id up out off again now dear kindly really quite yet still because while during between
through after before above below once until upon via per etc eg ie vs much many lot lots bit one ones thing things something anything
everything nothing someone anyone everybody everyone anybody maybe perhaps however therefore instead`)

// lightWords are common verbs and nouns of requests; they count for little.
var lightWords = wordSet(`want wants wanted need needs needed help helps helping like likes liked would know knows find finds finding get gets getting
give gives giving tell tells show shows showing make makes making made look looks looking see sees take takes taking go goes going come put
use uses used using user users try tries trying think thought thinks feel feels say says said ask asks asked asking keep
provide provides provided providing offer offers allow allows enable enables assist assists assistance support supports suggest suggests
suggestion suggestions recommend recommends recommendation recommendations interested wondering able available possible
good great best better nice new specific certain different various way ways kind type types information info details
detail related based including include includes current currently people person today time right now
skill skills tool tools app apps plugin request requests question questions task tasks work works working would seem seems
possible able interesting important favorite favourite lovely happy glad fun cool awesome day morning afternoon evening night`)

// hanStop are Chinese function words, taken out of a run of Han characters longest first. They are also where a
// run is cut.
var hanStop = wordSet(`请 请问 请你 帮 帮我 帮忙 麻烦 麻烦你 我 你 您 他 她 它 我们 你们 他们 咱们 我的 你的 的 了 着 过 地 得 吗 呢 吧 啊 呀 哦 嘛 么 是 不是 是不是 是否
想 我想 想要 要 需要 可以 能 能否 能不能 可不可以 会 会不会 有 有没有 没有 没 不 别 在 到 从 向 往 对 把 将 被 给 给我 让 和 与 及 或 或者 以及 还是 还 也 都 就 才 又 再 很 太 更 最
这 那 这个 那个 这些 那些 哪 哪些 哪个 哪里 哪儿 什么 怎么 怎么样 怎样 如何 多少 几 为什么 谁 一下 一个 一些 一点 下 个 些 之 其 于 以 为 并 并且 然后 接着 最后 先 首先 另外 如果 因为
所以 但是 但 可 可是 不过 关于 有关 谢谢 多谢 感谢 你好 您好 再见 好的 好吧 好 嗯 早上好 晚上好 下午好 辛苦了 告诉 告诉我 知道 我想知道 看看 看一下 一下子 顺便 是什么 什么是 了解 查看 看看 想知道 了解一下 未来 最近 接下来 近 目前`)

// hanLight are Chinese verbs of requests that count for little.
var hanLight = wordSet(`使用 用户 进行 提供 支持 获取 需求 问题 信息 相关 内容 情况 时候 现在 今天 明天 昨天 后天 今晚 推荐 建议 觉得 认为 喜欢 可用 根据 包括 包含 以下 指定 功能 工具 技能`)

// closers end a conversation or are mere courtesy.
var closers = wordSet(`thanks thank bye goodbye cheers hello hi hey greetings 谢谢 多谢 感谢 再见 你好 您好 辛苦了 拜拜`)

// anaphors are words that point back to an earlier turn.
var anaphors = wordSet(`it that this there them those these one ones same`)

// followUps start a question that goes on with what was asked before.
var followUps = []string{"what about", "how about", "and for", "and in", "same for", "the same", "also for", "now for",
	"那么", "那", "换成", "改成", "改为", "还有", "同样", "也查", "再查"}

// numberWords are the English number words that are read as values.
var numberWords = map[string]int64{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
	"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
	"ninety": 90, "dozen": 12}

// hanDigits are the Chinese digits.
var hanDigits = map[rune]int64{'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '俩': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9}

// hanPowers are the Chinese powers of ten.
var hanPowers = map[rune]int64{'十': 10, '百': 100, '千': 1000, '万': 10000, '亿': 100000000}

// months by their English names and usual short forms.
var months = map[string]int{"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5,
	"june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sep": 9, "sept": 9, "october": 10, "oct": 10,
	"november": 11, "nov": 11, "december": 12, "dec": 12}

// weekdays by their English names and usual short forms; Sunday is 0 as in package time.
var weekdays = map[string]int{"sunday": 0, "sun": 0, "monday": 1, "mon": 1, "tuesday": 2, "tue": 2, "tues": 2, "wednesday": 3, "wed": 3,
	"thursday": 4, "thu": 4, "thur": 4, "thurs": 4, "friday": 5, "fri": 5, "saturday": 6, "sat": 6}

// hanWeekdays are the last characters of Chinese weekday names.
var hanWeekdays = map[rune]int{'日': 0, '天': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6}

// wordSet makes a set of the words of s.
func wordSet(s string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(s) {
		set[w] = true
	}
	return set
}
