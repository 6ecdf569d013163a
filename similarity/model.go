package similarity

// sameModel gives the probability of one ability: the fit to the tuning half of the labelled pairs, which TestModelsAreTheFit
// computes again.
func sameModel() model {
	return model{bias: -4.5596, weights: []float64{
		2.3329,  // tokens
		0.8388,  // tokens²
		0.0000,  // grams
		0.6924,  // containment
		0.0000,  // coverage
		0.0000,  // name
		0.0000,  // jaro-winkler
		1.4469,  // head
		0.0000,  // actions
		0.5923,  // objects
		0.0000,  // order
		0.2948,  // use-when
		1.3781,  // parameters
		1.5452,  // evidence
		0.2980,  // cross
		0.0000,  // lone
		-1.0407, // other action
		0.0000,  // other object
		-0.1230, // other word
		-1.0868, // other action in order
		-0.9770, // other object in order
		0.0000,  // other word in order
		-0.9851, // lone in order
		-0.0858, // first action
		-0.5938, // other name
		-1.1271, // opposite
		-3.2189, // reversed
		-1.6045, // boundary
		0.0000,  // swap
	}}
}

// fieldModel gives the probability of one field: the fit to the tuning half of the labelled pairs, which TestModelsAreTheFit
// computes again.
func fieldModel() model {
	return model{bias: -2.1648, weights: []float64{
		0.0000,  // tokens
		2.4503,  // tokens²
		3.1336,  // grams
		0.0000,  // containment
		2.7737,  // coverage
		0.0000,  // name
		2.0353,  // jaro-winkler
		0.0000,  // head
		0.4955,  // actions
		0.0000,  // objects
		0.0000,  // order
		0.0000,  // use-when
		1.5462,  // parameters
		0.0000,  // evidence
		0.0000,  // cross
		0.0000,  // lone
		0.0000,  // other action
		-0.1857, // other object
		0.0000,  // other word
		-1.0431, // other action in order
		-2.1756, // other object in order
		0.0000,  // other word in order
		-1.3197, // lone in order
		-0.6010, // first action
		0.0000,  // other name
		0.0000,  // opposite
		0.0000,  // reversed
		0.0000,  // boundary
		-5.4610, // swap
	}}
}
