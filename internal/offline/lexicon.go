package offline

import "github.com/skilleval/skilleval/internal/prose"

// The lists of this file are function words and interface verbs: words that say nothing about which skill is
// meant. They hold no vocabulary of any subject.

// lightWords are common verbs and nouns of requests; they count for little.
var lightWords = prose.WordSet(`want wants wanted need needs needed help helps helping like likes liked would know knows find finds finding get gets getting
give gives giving tell tells show shows showing make makes making made look looks looking see sees take takes taking go goes going come put
use uses used using user users try tries trying think thought thinks feel feels say says said ask asks asked asking keep
provide provides provided providing offer offers allow allows enable enables assist assists assistance support supports suggest suggests
suggestion suggestions recommend recommends recommendation recommendations interested wondering able available possible
good great best better nice new specific certain different various way ways kind type types information info details
detail related based including include includes current currently people person today time right now
skill skills tool tools app apps plugin request requests question questions task tasks work works working would seem seems
possible able interesting important favorite favourite lovely happy glad fun cool awesome day morning afternoon evening night`)

// hanLight are Chinese verbs of requests that count for little.
var hanLight = prose.WordSet(`使用 用户 进行 提供 支持 获取 需求 问题 信息 相关 内容 情况 时候 现在 今天 明天 昨天 后天 今晚 推荐 建议 觉得 认为 喜欢 可用 根据 包括 包含 以下 指定 功能 工具 技能`)

// closers end a conversation or are mere courtesy.
var closers = prose.WordSet(`thanks thank bye goodbye cheers hello hi hey greetings 谢谢 多谢 感谢 再见 你好 您好 辛苦了 拜拜`)

// anaphors are words that point back to an earlier turn.
var anaphors = prose.WordSet(`it that this there them those these one ones same`)

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
