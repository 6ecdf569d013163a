package lint

import "slices"

// Rules lists every rule in the order in which they are documented.
func Rules() []Rule {
	return slices.Concat(
		failureRules(), toleranceRules(), searchRules(),
		[]Rule{
			nameCharacters(), nameUnderscore(), nameHyphens(), nameTooLong(), nameDirectory(), nameFunction(), nameReserved(), nameConfusable(),
			descriptionOneWord(), descriptionTooLong(), descriptionManyFunctions(), descriptionUseWhen(), descriptionDoNotUseWhen(),
			descriptionPerson(), descriptionVague(), descriptionMarkup(),
			invisibleCharacters(), bidiCharacters(), controlCharacters(), lineEnds(), trailingBlanks(),
			compatibilityTooLong(), bodyEmpty(), bodyLines(), bodyTokens(),
			missingFile(), fileOutside(), fileBackslash(), secret(),
			parameterDescription(), parameterExample(), parameterFormat(), schemaKeyword(), requiredUnknown(), requiredMissing(), additionalProperties(),
			requirementsUnmet(), unknownDepends(), dependsCycle(),
			duplicateName(), shadowedName(), catalogTokens(), descriptionOutlier(), missingCrossReference(),
		})
}
