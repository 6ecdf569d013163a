package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func descriptionManyFunctions() Rule {
	return Rule{ID: "description-many-functions", Title: "one skill for many functions", Severity: Note, Limit: 3, Unit: "functions", skill: checkManyFunctions,
		hint: "split the skill, or name what its functions have in common",
		Doc: doc{what: "The description names more than three things that the skill does: verbs of action at the start of its clauses, in English or Chinese, conditions of use left out.",
			why:   "A description of everything competes with the descriptions of all others, and a model cannot tell what the skill is for.",
			wrong: "description: Create, edit, translate, send and archive documents.", right: "description: Translate documents.", fix: "split the skill, or raise max for it."}.text()}
}

func checkManyFunctions(p *skillPass) {
	if !authored(p) {
		return
	}
	verbs, most := actions(p), p.limit(p.skill.Path)
	if len(verbs) > most {
		p.report("description", fmt.Sprintf("description names %d functions (%s); up to %d are advised", len(verbs), strings.Join(verbs[:min(len(verbs), 8)], ", "), most), "")
	}
}

// sentences and clauses of a description.
var (
	sentenceEnd = regexp.MustCompile(`[.!?]\s+|[。！？]|\n\s*\n|\n\s*[-*•]\s|[;；]\s*`)
	clauseEnd   = regexp.MustCompile(`[,，、:：()（）/&]|\s+(?:and|or|then)\s+|\s[-–—]+\s|以及|并且|和|与|或|并|及`)
	usageWords  = regexp.MustCompile(`(?i)\b(?:use|used|using|when|whenever|if|trigger\w*|invoke|do not|don't|not for|never|avoid)\b|使用|适用|触发|当.*时|不要|用于`)
	adverbs     = regexp.MustCompile(`(?i)^(?:and|or|then|also|can|will|to|it|this|skill|helps?|you|automatically|quickly|easily|safely)\s+`)
)

// actions lists the distinct verbs with which clauses of the description begin.
func actions(p *skillPass) []string {
	text := opening(p.skill.Description)
	var out []string
	for _, sentence := range sentenceEnd.Split(text, -1) {
		if usageWords.MatchString(sentence) {
			continue
		}
		for _, clause := range clauseEnd.Split(sentence, -1) {
			clause = strings.TrimSpace(clause)
			for m := adverbs.FindString(clause); m != ""; m = adverbs.FindString(clause) {
				clause = clause[len(m):]
			}
			if v := action(clause); v != "" && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// action gives the verb a clause begins with, in its base form, or "".
func action(clause string) string {
	for _, v := range chineseActions {
		if strings.HasPrefix(clause, v) {
			return v
		}
	}
	word, _, _ := strings.Cut(strings.ToLower(clause), " ")
	word = strings.Trim(word, `"'.,*`)
	for _, base := range []string{word, strings.TrimSuffix(word, "s"), strings.TrimSuffix(word, "es"), strings.TrimSuffix(word, "ies") + "y"} {
		if slices.Contains(englishActions, base) {
			return base
		}
	}
	return ""
}

var englishActions = strings.Fields(`add analyze analyse annotate archive assign audit book build calculate cancel capture check classify clean close collect combine
	compare compile compose compress compute configure connect convert copy count crawl create debug delete deploy describe design detect diagnose draft download draw
	edit encode encrypt estimate evaluate execute explain export extract fetch fill filter find fix format generate get identify import index inspect install list
	load locate look lookup manage measure merge migrate modify monitor move open optimize optimise organize organise parse plan post predict preview print process profile
	publish query rank read recommend record refactor remind remove rename render replace report reserve resize resolve restore retrieve review rewrite rotate run save scan
	schedule scrape search send set sort split start stop store summarize summarise sync tag take test track train transcribe transform translate update upload validate
	verify view visualize visualise watch write`)

var chineseActions = strings.Fields(`创建 新建 编辑 修改 更新 删除 查询 查找 搜索 检索 获取 读取 写入 保存 发送 翻译 生成 转换 分析 总结 提取 管理 上传 下载 检查 校验 验证 计算 统计
	预测 推荐 设置 取消 预订 合并 拆分 导入 导出 部署 监控 测试 优化 重构 审查 调试 撰写 编写 绘制 播放 打开 关闭`)
