package similarity

// sameModel gives the probability of one ability: the fit to the tuning half of the labelled pairs, which TestModelsAreTheFit
// computes again.
func sameModel() model {
	return model{bias: -4.3795, weights: []float64{
		2.2318,  // tokens
		0.7200,  // tokens²
		0.0000,  // grams
		0.6540,  // containment
		0.0000,  // coverage
		0.0000,  // name
		0.0000,  // jaro-winkler
		1.2626,  // head
		0.0000,  // actions
		0.7010,  // objects
		0.0000,  // order
		0.1989,  // use-when
		1.3172,  // parameters
		1.6456,  // evidence
		0.1323,  // cross
		-0.0019, // lone
		-0.7108, // other action
		0.0000,  // other object
		-0.2596, // other word
		-1.3637, // other action in order
		-1.0928, // other object in order
		0.0000,  // other word in order
		-1.1612, // lone in order
		-0.2324, // first action
		-0.4772, // other name
		-1.2837, // opposite
		-3.0897, // reversed
		-1.6506, // boundary
		0.0000,  // swap
	}}
}

// fieldModel gives the probability of one field: the fit to the tuning half of the labelled pairs, which TestModelsAreTheFit
// computes again.
func fieldModel() model {
	return model{bias: -1.8830, weights: []float64{
		0.0000,  // tokens
		2.0630,  // tokens²
		3.1463,  // grams
		0.0000,  // containment
		2.8017,  // coverage
		0.0000,  // name
		2.0073,  // jaro-winkler
		0.0000,  // head
		0.5414,  // actions
		0.0000,  // objects
		0.0000,  // order
		0.0000,  // use-when
		1.5909,  // parameters
		0.0000,  // evidence
		0.0000,  // cross
		-0.3196, // lone
		0.0000,  // other action
		-0.1943, // other object
		0.0000,  // other word
		-0.9419, // other action in order
		-2.1105, // other object in order
		0.0000,  // other word in order
		-1.4595, // lone in order
		-0.6304, // first action
		0.0000,  // other name
		0.0000,  // opposite
		0.0000,  // reversed
		0.0000,  // boundary
		-5.5133, // swap
	}}
}
