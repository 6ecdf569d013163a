package similarity

// sameModel gives the probability of one ability: the fit to the tuning half of the labelled pairs, which TestModelsAreTheFit
// computes again.
func sameModel() model {
	return model{bias: -4.5331, weights: []float64{
		2.3288,  // tokens
		0.8396,  // tokens²
		0.0000,  // grams
		0.6727,  // containment
		0.0000,  // coverage
		0.0000,  // name
		0.0000,  // jaro-winkler
		1.4448,  // head
		0.0000,  // actions
		0.5973,  // objects
		0.0000,  // order
		0.2953,  // use-when
		1.3724,  // parameters
		1.5413,  // evidence
		0.2888,  // cross
		0.0000,  // lone
		-1.0417, // other action
		0.0000,  // other object
		-0.1975, // other word
		-1.0820, // other action in order
		-0.9886, // other object in order
		0.0000,  // other word in order
		-0.9731, // lone in order
		-0.0938, // first action
		-0.5961, // other name
		-1.1305, // opposite
		-3.2185, // reversed
		-1.6032, // boundary
		0.0000,  // swap
	}}
}

// fieldModel gives the probability of one field: the fit to the tuning half of the labelled pairs, which TestModelsAreTheFit
// computes again.
func fieldModel() model {
	return model{bias: -2.1633, weights: []float64{
		0.0000,  // tokens
		2.4492,  // tokens²
		3.1328,  // grams
		0.0000,  // containment
		2.7700,  // coverage
		0.0000,  // name
		2.0362,  // jaro-winkler
		0.0000,  // head
		0.4974,  // actions
		0.0000,  // objects
		0.0000,  // order
		0.0000,  // use-when
		1.5502,  // parameters
		0.0000,  // evidence
		0.0000,  // cross
		0.0000,  // lone
		0.0000,  // other action
		-0.1891, // other object
		0.0000,  // other word
		-1.0381, // other action in order
		-2.1722, // other object in order
		0.0000,  // other word in order
		-1.3226, // lone in order
		-0.6042, // first action
		0.0000,  // other name
		0.0000,  // opposite
		0.0000,  // reversed
		0.0000,  // boundary
		-5.4573, // swap
	}}
}
