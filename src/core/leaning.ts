const thirdPerson = /\b(?:she|he|they|her|him|his|their|them)\b/i

/** Whether a text may lean on what was told before it: a pronoun of the third person may stand for somebody named there. */
export const leansOnBefore = (text: string): boolean => thirdPerson.test(text)
