/** At least this sure, a newer text makes an older one out of date, and its facts with it; or one fact another. */
export const certain = 0.975

/** The surest that leaves everything current. */
export const closesNothing = 0.965

/** At least this sure, the older text stays current and stands behind the newer one. */
export const likely = 0.9

/** At least this sure, the older text stands behind the newer one for questions that the newer one answers. */
export const possible = 0.3

/** At least this sure, where something else speaks for it, too: the text around an only fact, or a denial of the very fact. */
export const supported = 0.5

/** A user who corrects a memory himself is surer than any judge: the link to it, and those to what else is so corrected. */
export const corrected = 1
export const mostJudged = 0.9999
