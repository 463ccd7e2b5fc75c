/** Adjectives of nations, as documents put them before an occupation or a work: `an Italian film director`. */
const nationalities = new Set(
  `American British English Scottish Welsh Irish Canadian Australian French German Italian Spanish Portuguese Dutch Belgian
  Swiss Austrian Swedish Norwegian Danish Finnish Icelandic Polish Czech Slovak Hungarian Romanian Bulgarian Greek Turkish
  Russian Soviet Ukrainian Belarusian Lithuanian Latvian Estonian Serbian Croatian Slovenian Bosnian Macedonian Albanian
  Montenegrin Georgian Armenian Azerbaijani Kazakh Uzbek Indian Pakistani Bangladeshi Nepalese Nepali Chinese Japanese
  Korean Taiwanese Vietnamese Thai Malaysian Indonesian Filipino Singaporean Burmese Cambodian Mongolian Israeli Palestinian
  Lebanese Syrian Jordanian Iraqi Iranian Persian Saudi Emirati Kuwaiti Qatari Egyptian Libyan Tunisian Algerian Moroccan
  Sudanese Ethiopian Kenyan Ugandan Tanzanian Nigerian Ghanaian Senegalese Ivorian Cameroonian Congolese Angolan Zambian
  Zimbabwean Mexican Guatemalan Honduran Salvadoran Nicaraguan Cuban Jamaican Haitian Dominican Colombian Venezuelan
  Ecuadorian Peruvian Bolivian Chilean Argentine Argentinian Uruguayan Paraguayan Brazilian Maltese Cypriot Luxembourgish
  Somali Rwandan Malian Afghan Hawaiian Prussian Byzantine Roman Ottoman Bavarian Flemish Catalan`.split(
    /\s+/,
  ),
)
const twoWords =
  /\b(?:South African|New Zealand|South Korean|North Korean|Sri Lankan|Hong Kong|Costa Rican|Puerto Rican)\b/

/** The nationality named in a description; null when there is none. */
export function nationalityIn(text: string): string | null {
  const pair = twoWords.exec(text)?.[0]
  return pair ?? text.split(/[\s-]+/).find((word) => nationalities.has(word)) ?? null
}
