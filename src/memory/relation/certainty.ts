/** At least this sure by its words alone, a newer text makes an older one out of date, and its facts with it. */
export const certain = 0.983

/** At least this sure where a fact of the newer text also contradicts one of the older, that fact takes its place. */
export const sure = 0.97

/** At least this sure, the older text stays current and stands behind the newer one. */
export const likely = 0.85
