/** How many neighbours of a chunk can carry its meaning: the two turns before it and the answer after it. */
export const chunksBefore = 2
export const chunksAfter = 1

/** A session ends so long after its last text. */
export const sessionSeconds = 24 * 3_600

/** A session remembers so many facts; the oldest give way. */
export const hotFacts = 50

/** So many different words of a question are searched: each one has to be counted, and more do not make it clearer. */
export const questionTerms = 32

/** Of so many runs it is kept what they did. */
export const runsKept = 20
