/** Code that would tell on itself if it ran. */
const bomb = 'window.ran=1;alert(1)'

const markup = [
  `<script>${bomb}</script>`,
  `<img src=x onerror="${bomb}">`,
  `"><svg onload="${bomb}">`,
  `<iframe srcdoc="<script>${bomb}</script>"></iframe>`,
  `<a href="javascript:${bomb}">click</a>`,
  `<style>*{display:none!important}</style>`,
  `<base href="https://example.com/"><link rel=stylesheet href="//example.com/x.css">`,
  `<meta http-equiv="refresh" content="0;url=https://example.com">`,
  `<form action="https://example.com"><button>Send</button></form>`,
  `</textarea></title></script><script>${bomb}</script>`,
  `<details open ontoggle="${bomb}">`,
  `<input autofocus onfocus="${bomb}">`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${bomb}">`,
  `<object data="data:text/html,<script>${bomb}</script>"></object>`,
  `{{constructor.constructor('${bomb}')()}} \${${bomb}}`,
  `<!--<img src="--><img src=x onerror=${bomb}//">`,
  `<template><script>${bomb}</script></template>`,
  `<video><source onerror="${bomb}"></video>`,
  `<p style="position:fixed;inset:0;background:red;width:9999px">over everything</p>`,
  `javascript:${bomb}`,
]

/** Names and signs that break layouts, tables, JSON, shells and sorting. */
const odd = [
  'W'.repeat(3_000),
  'a-'.repeat(500),
  'https://example.com/'.concat('path/'.repeat(200)),
  '\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}'.repeat(300),
  'Z̷̡̛a̶̢l̵̨g̴̡o̸̢ '.repeat(100),
  'مرحبا بالعالم، اسمي مريم وأعيش في برلين. '.repeat(20),
  'שלום עולם '.repeat(50),
  '\u202Etxt.exe\u202C and \u2066isolated\u2069 text',
  '漢字'.repeat(200),
  'ﷺ'.repeat(400),
  '\t\t\t\n\n\n\nlines\n'.repeat(60),
  '__proto__ constructor toString hasOwnProperty',
  `'; DROP TABLE chunk; -- " \\ \` $(rm -rf /) %00 %s %n`,
  '../../../../etc/passwd',
  'null undefined NaN true {} []',
  '&lt;script&gt; &amp;amp; &#60;b&#62;',
  '|'.repeat(700),
  '\u00AD\u200B'.repeat(300).concat('invisible'),
  '𝕴𝖓𝖛𝖎𝖙𝖊𝖉 '.repeat(80),
  '1'.repeat(2_500),
]

/** So long that a screen must not show it whole, without a place to break it. */
const longest = 'x'.repeat(30_000)

/** One hundred texts that nobody should ever have to read. */
export function hostileTexts(): string[] {
  const sentences = [...markup, ...odd].flatMap((text) => [text, `My dog is called ${text}.`])
  const names = markup.map((text, at) => `Ann${at} ${text} works at Bosch${at}.`)
  return [longest, ...sentences, ...names].slice(0, 100)
}

/** What a preview answers for a text of 2,000 facts with such names. */
export function manyFacts() {
  const hostile = [...markup, ...odd]
  const name = (at: number) => hostile[at % hostile.length] ?? ''
  const facts = Array.from({ length: 2_000 }, (_, at) => ({
    ...{ fact: name(at), subject: name(at), relation: 'is_called', object: name(at + 1) },
    ...{ negated: at % 3 === 0, ended: at % 5 === 0, when: at % 7 === 0 ? name(at) : null },
    ...{ certainty: (at % 100) / 100, confidence: 1, outcome: at % 2 === 0 ? 'new' : 'known' },
    evidence: { text: name(at), start: at, end: at + 10 },
    replaces: at % 11 === 0 ? [{ id: String(at), fact: name(at), kind: 'replaces', probability: 1 }] : [],
  }))
  const entities = Array.from({ length: 500 }, (_, at) => ({
    ...{ id: null, name: `${at} ${name(at)}`, type: 'thing', aliases: [name(at + 2)] },
  }))
  const chunks = [{ text: longest, start: 0, end: longest.length }]
  return { duplicate: null, chunks, entities, facts, replaces: [], notice: name(1), latency_ms: 1 }
}
