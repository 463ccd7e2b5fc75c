/** Short conversational texts: little saturation, little length penalty (measured in bench/retrieval). */
const k1 = 0.9
const b = 0.4

/** How telling a term is that `containing` of `documents` texts contain; never negative. */
export function inverseDocumentFrequency(documents: number, containing: number): number {
  return Math.log(1 + (documents - containing + 0.5) / (containing + 0.5))
}

/** What one term adds to a text's BM25 score, before its idf. `length` and `averageLength` count terms. */
export function termWeight(frequency: number, length: number, averageLength: number): number {
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / averageLength))
}
