package offline

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestFillArguments(t *testing.T) {
	forecast := `{"type":"object","properties":{"city":{"type":"string","description":"City name"},"days":{"type":"integer","description":"Number of days","minimum":1,"maximum":14},"unit":{"type":"string","enum":["celsius","fahrenheit"]}},"required":["city"]}`
	forecastZH := `{"type":"object","properties":{"city":{"type":"string","description":"城市名"},"days":{"type":"integer","description":"天数"},"date":{"type":"string","description":"日期，格式 YYYY-MM-DD"}},"required":["city"]}`
	translate := `{"type":"object","properties":{"text":{"type":"string","description":"Text to translate"},"target_language":{"type":"string","description":"Target language"}},"required":["text","target_language"]}`
	search := `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","description":"Maximum number of results"}},"required":["query"]}`
	note := `{"type":"object","properties":{"title":{"type":"string","description":"笔记标题"},"content":{"type":"string","description":"笔记内容"},"tags":{"type":"array","items":{"type":"string"},"description":"标签"}},"required":["title","content"]}`
	event := `{"type":"object","properties":{"title":{"type":"string"},"start":{"type":"string","format":"date-time"},"duration_minutes":{"type":"integer"},"attendees":{"type":"array","items":{"type":"string","format":"email"}}},"required":["title","start"]}`
	for _, c := range []struct{ about, schema, question, want string }{
		{"Weather forecast for a city.", forecast, "What's the weather in New York for the next 3 days in Fahrenheit?", `{"city":"New York","days":3,"unit":"fahrenheit"}`},
		{"Weather forecast for a city.", forecast, "weather in paris", `{"city":"paris"}`},
		{"Weather forecast for a city.", forecast, "Berlin's weather for two weeks", `{"city":"Berlin","days":14}`},
		{"Weather forecast for a city.", forecast, "weather in Oslo for 90 days", `{"city":"Oslo"}`},
		{"查询城市天气预报，包括下雨和气温。", forecastZH, "今天杭州会不会下雨", `{"city":"杭州","date":"2025-02-27"}`},
		{"查询城市天气预报，包括下雨和气温。", forecastZH, "帮我查一下上海未来三天的天气", `{"city":"上海","days":3}`},
		{"Translate text into another language. 翻译文本", translate, "把“你好世界”翻译成英文", `{"text":"你好世界","target_language":"英文"}`},
		{"Translate text into another language. 翻译文本", translate, "Translate 'good morning' to French", `{"text":"good morning","target_language":"French"}`},
		{"Translate text.", `{"type":"object","properties":{"text":{"type":"string"},"to":{"type":"string","enum":["en","zh","fr"],"description":"Target language: en (English), zh (Chinese), fr (French)"}},"required":["text","to"]}`,
			"Please translate the following into French: The quick brown fox jumps.", `{"text":"The quick brown fox jumps.","to":"fr"}`},
		{"Search the docs of the product.", search, "Search the docs for rate limiting headers, top 5 results", `{"query":"rate limiting headers","limit":5}`},
		{"Search the docs of the product.", search, "Can you look up how to configure retries in the docs?", `{"query":"how to configure retries"}`},
		{"搜索网页", search, "帮我搜索一下Go泛型教程，前3条", `{"query":"Go泛型教程","limit":3}`},
		{"搜索网页", search, "找一些关于向量数据库的资料", `{"query":"向量数据库"}`},
		{"Create a calendar event.", event, "Create an event called Design review on 2025-03-04 at 3pm for half an hour with ann@example.com and bo@example.com",
			`{"title":"Design review","start":"2025-03-04T15:00:00Z","duration_minutes":30,"attendees":["ann@example.com","bo@example.com"]}`},
		{"创建日历事件", `{"type":"object","properties":{"title":{"type":"string","description":"事件标题"},"date":{"type":"string","description":"日期"},"time":{"type":"string","description":"时间 HH:MM"}},"required":["title","date"]}`,
			"明天下午三点半创建一个日程，标题是项目评审", `{"title":"项目评审","date":"明天","time":"15:30"}`},
		{"Fetch a web page.", `{"type":"object","properties":{"url":{"type":"string","format":"uri"},"include_links":{"type":"boolean"}},"required":["url"]}`,
			"fetch https://example.com/a?b=1, without links.", `{"url":"https://example.com/a?b=1","include_links":false}`},
		{"抓取网页", `{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}`, "打开https://example.com/文档。", `{"url":"https://example.com/"}`},
		{"保存笔记", note, "保存一条笔记，标题为购物清单，内容是牛奶和面包，标签是生活、购物", `{"title":"购物清单","content":"牛奶和面包","tags":["生活","购物"]}`},
		{"Convert an amount between currencies.", `{"type":"object","properties":{"amount":{"type":"number"},"from":{"type":"string","pattern":"^[A-Z]{3}$"},"to":{"type":"string","pattern":"^[A-Z]{3}$"}},"required":["amount","from","to"]}`,
			"convert 1,200.50 usd to EUR", `{"amount":1200.50,"from":"USD","to":"EUR"}`},
		{"Summarise a text.", `{"type":"object","properties":{"text":{"type":"string"},"style":{"type":"string","enum":["short","long","bullet_points"]},"max_words":{"type":"integer"}},"required":["text"]}`,
			"Summarize this in bullet points, at most fifty words: Go is a language. It compiles fast.", `{"text":"Go is a language. It compiles fast.","style":"bullet_points","max_words":50}`},
		{"预订机票", `{"type":"object","properties":{"from_city":{"type":"string","description":"出发城市"},"to_city":{"type":"string","description":"到达城市"},"date":{"type":"string","format":"date"},"passengers":{"type":"integer","description":"乘客人数"}},"required":["from_city","to_city","date"]}`,
			"帮我订一张5月6日从北京到上海的机票，两个人", `{"from_city":"北京","to_city":"上海","date":"2025-05-06","passengers":2}`},
		{"Read a file.", `{"type":"object","properties":{"path":{"type":"string"},"line_count":{"type":"integer"}},"required":["path"]}`, "read the first 20 lines of notes/today.md", `{"path":"notes/today.md","line_count":20}`},
		{"Track a parcel.", `{"type":"object","properties":{"tracking_id":{"type":"string"}},"required":["tracking_id"]}`, "where is parcel PRT-8945 now?", `{"tracking_id":"PRT-8945"}`},
		{"Set priority.", `{"type":"object","properties":{"priority":{"type":"string","enum":["低","中","高"],"description":"优先级"},"labels":{"type":"array","items":{"type":"string","enum":["bug","docs","ui"]}}},"required":["priority"]}`,
			"把优先级设为高，标签 bug 和 ui", `{"priority":"高","labels":["bug","ui"]}`},
		{"A switch.", `{"type":"object","properties":{"mode":{"const":"fast"},"level":{"type":"integer","default":2}},"required":["mode","level"]}`, "go", `{"mode":"fast","level":2}`},
		{"Nested.", `{"type":"object","properties":{"where":{"$ref":"#/$defs/place"}},"required":["where"],"$defs":{"place":{"type":"object","properties":{"email":{"type":"string"}},"required":["email"]}}}`,
			"send it to ann@example.com", `{"where":{"email":"ann@example.com"}}`},
		{"No parameters.", `{"type":"object"}`, "anything", `{}`},
		{"Broken schema.", `{"type":`, "anything", `{}`},
		{"Draft four.", `{"type":"object","properties":{"n":{"type":"integer","minimum":1,"exclusiveMinimum":true}},"required":["n"]}`, "take 4", `{"n":4}`},
	} {
		got := fillArguments(fillInput{schema: []byte(c.schema), name: "skill", about: c.about, text: c.question, question: c.question, system: "Today is 2025-02-27."})
		assert.Equal(t, c.want, got, c.question)
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"take 1,200": "1200", "3.5k words": "3500", "three": "3", "twenty-five": "25", "twenty five items": "25", "two hundred": "200", "half an hour": "0.5", "an hour": "1",
		"三": "3", "两个": "2", "二十五": "25", "三百二十": "320", "两千": "2000", "一万二千": "12000", "十": "10", "半": "0.5", "2025个": "2025", "-5 degrees": "-5", "007": "7", "15min": "15", "１２": "",
		"v1.2.3": "", "https": "", "no number": "",
	} {
		f := newFiller(text, fillInput{})
		got := ""
		if len(f.numbers) > 0 {
			got = f.numbers[0].text
		}
		assert.Equal(t, want, got, text)
	}
}

func TestMoments(t *testing.T) {
	for text, want := range map[string]string{
		"2024-05-06": "2024-05-06T00:00", "on May 6, 2024": "2024-05-06T00:00", "6 May 2024": "2024-05-06T00:00", "6th of May": "2025-05-06T00:00", "December the 5th": "2025-12-05T00:00",
		"tomorrow at 3pm": "2025-02-28T15:00", "3:30 pm tomorrow": "2025-02-28T15:30", "in 3 days": "2025-03-02T00:00", "in two weeks": "2025-03-13T00:00", "next Monday": "2025-03-03T00:00",
		"2024-05-06T07:08": "2024-05-06T07:08", "noon today": "2025-02-27T12:00", "at midnight today": "2025-02-27T00:00", "12am today": "2025-02-27T00:00",
		"2024年5月6日": "2024-05-06T00:00", "五月六号": "2025-05-06T00:00", "明天下午三点半": "2025-02-28T15:30", "后天9点": "2025-03-01T09:00", "下周一上午十点": "2025-03-03T10:00", "周五": "2025-02-28T00:00", "3天后": "2025-03-02T00:00",
		"31 February": "", "13/45": "", "may I": "", "version 2.10": "", "Sunday school": "2025-03-02T00:00", "1月5日": "2025-01-05T00:00", "6月31日": "",
	} {
		f := newFiller(text, fillInput{system: "今天是2025年2月27日"})
		got := ""
		if len(f.dates) > 0 {
			if day, ok := f.dates[0].resolve(f.today); ok {
				got = day.Format("2006-01-02T15:04")
			}
		}
		assert.Equal(t, want, got, text)
	}
}

func TestFillNeverBreaksTheSchemaItReads(t *testing.T) {
	schema := `{"type":"object","properties":{"n":{"type":"integer","minimum":2,"maximum":9},"s":{"type":"string","minLength":2,"maxLength":5},"e":{"enum":["a","b"]},"l":{"type":"array","items":{"type":"number"},"maxItems":2}},"required":["n","s","e","l"]}`
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab 019,.-:/@“”'和三点月日年 \n\x00é汉字\u0301"))).Draw(t, "text")
		for _, m := range members([]byte(fillArguments(fillInput{schema: []byte(schema), text: text, question: text, repair: true}))) {
			switch m.name {
			case "n":
				v := string(m.value)
				assert.True(t, len(v) == 1 && v >= "2" && v <= "9", v)
			case "s":
				assert.LessOrEqual(t, inRunes(plain(m.value)), 5)
			case "e":
				assert.Contains(t, []string{`"a"`, `"b"`}, string(m.value))
			}
		}
	})
}
