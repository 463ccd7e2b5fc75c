/** What the linear score looks at, in the order of the weights. docs/retrieval.md says why each is there. */
export const featureNames = [
  // The text by itself.
  'words',
  'wordsOverBest',
  'meaning',
  'late',
  'lateEven',
  'lateLeast',
  'lateMiss',
  'lateRare',
  'lateWithBefore',
  'lateAround',
  'lateLeastAround',
  'lateWithPartner',
  'lateLeastWithPartner',
  'speakerNamed',
  'byAssistant',
  'length',
  'shortness',
  'longWords',
  'longMeaning',
  'longLate',
  // How many of its pieces were found, and how much better the best of them matches.
  'pieces',
  'textWords',
  'textMeaning',
  'textLate',
  'isQuestion',
  'echo',
  'statesTime',
  'statesNumber',
  'statesName',
  'namesMissing',
  // Its place in the conversation.
  'wordsBefore',
  'meaningBefore',
  'lateBefore',
  'wordsTwoBefore',
  'meaningTwoBefore',
  'lateTwoBefore',
  'wordsAfter',
  'meaningAfter',
  'lateAfter',
  'answers',
  'sessionWords',
  'sessionMeaning',
  'sessionDepth',
  'sessionLate',
  'manySessionWords',
  'manySessionMeaning',
  'manySessionDepth',
  'manySessionLate',
  'manyWordsBefore',
  'manyMeaningBefore',
  'manyMeaning',
  'manyLate',
  'manyAroundLate',
  // A text that belongs to no conversation.
  'aloneWords',
  'aloneMeaning',
  'aloneLate',
  'aloneNamed',
  'titleMentioned',
  'titleSpokenOf',
  // Its time.
  'recency',
  // The facts in it.
  'factWords',
  'factMeaning',
  'askedSlot',
  'negated',
  'pathCloseness',
  'pathNarrowness',
  'hop',
  'textMissing',
  // A traversal: what it adds to the texts before it, and how far it says their names.
  'completes',
  'namedBefore',
  // The session at hand.
  'isHot',
  'inSession',
  'inSessionVague',
] as const

export type FeatureName = (typeof featureNames)[number]

/** The features of one candidate, in the order of `featureNames`. */
export type Features = Float64Array

/** Where a feature stands in a row. */
export const place = Object.fromEntries(featureNames.map((name, at) => [name, at])) as Readonly<
  Record<FeatureName, number>
>

/** Empty rows in one piece of memory: hundreds of small ones would keep the collector busy. */
export function rowsFor(count: number): () => Features {
  const width = featureNames.length
  const all = new Float64Array(count * width)
  let end = 0
  return () => {
    end += width
    return all.subarray(end - width, end)
  }
}
