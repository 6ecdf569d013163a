package lint

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

func descriptionOutlier() Rule {
	return Rule{ID: "description-outlier", Title: "description is far longer than those of its peers", Severity: Note, catalog: checkOutliers,
		hint: "shorten it to what the others say",
		Doc: doc{what: "Among five skills or more, a description is more than twice as long as the median, and more than 3.5 robust standard deviations above it (modified z-score, from the median absolute deviation).",
			why:   "A long description offers more words to match than its peers, and attracts requests that are not meant for it.",
			wrong: "twenty descriptions of 150 characters and one of 900", right: "descriptions of about one length", fix: "shorten it.",
			source: "Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993"}.text()}
}

// minPeers is how many descriptions a comparison of lengths needs.
const minPeers = 5

func checkOutliers(p *catalogPass) {
	list := p.catalog.Skills
	if len(list) < minPeers {
		return
	}
	lengths := make([]float64, len(list))
	for i, s := range list {
		lengths[i] = float64(utf8.RuneCountInString(s.Description))
	}
	center := median(lengths)
	scale := spread(lengths, center)
	for i, s := range list {
		if lengths[i] <= 2*center || lengths[i]-center <= 3.5*scale || s.DescriptionSource == "body" {
			continue
		}
		f := Finding{Message: fmt.Sprintf("description has %.0f characters; half of the %d have %.0f or fewer", lengths[i], len(list), center), Path: s.Path, Skill: s.Name, Key: "description"}
		f.Line, f.Column = place(s, "description")
		p.addField(f)
	}
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// spread is the robust standard deviation: the median absolute deviation divided by 0.6745, or, where more than half
// of the values are equal, the mean absolute deviation times 1.2533.
func spread(list []float64, center float64) float64 {
	deviations := make([]float64, len(list))
	sum := 0.0
	for i, v := range list {
		deviations[i] = math.Abs(v - center)
		sum += deviations[i]
	}
	if mad := median(deviations); mad > 0 {
		return mad / 0.6745
	}
	return 1.2533 * sum / float64(len(list))
}
