/** The style sheet of the API reference. Inlined, so that the page needs one request and no network. */
export const docsStyle = `
:root{color-scheme:light dark;--ink:#1c2126;--soft:#5b6570;--line:#e3e6ea;--paper:#fff;--well:#f6f7f9;--accent:#0b6e5c;
--get:#1769aa;--post:#0b6e5c;--patch:#8a5a00;--delete:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#98a2ad;--line:#2c333a;--paper:#14181c;--well:#1c2227;
--accent:#4fc3a8;--get:#6db3ee;--post:#4fc3a8;--patch:#e0a94a;--delete:#f08a80}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;display:grid;grid-template-columns:19rem minmax(0,1fr);font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);background:var(--well);font-size:.85rem}
nav h1{font-size:1.25rem;margin:0}nav h2{font-size:.72rem;text-transform:uppercase;letter-spacing:.06em;color:var(--soft);margin:1.5rem 0 .3rem}
nav ul{list-style:none;margin:0;padding:0}nav a{display:flex;gap:.5rem;align-items:baseline;padding:.2rem .35rem;border-radius:.3rem;color:inherit;text-decoration:none}
nav a:hover,nav a:focus-visible{background:var(--line)}nav li span{overflow-wrap:anywhere;font-family:ui-monospace,monospace;font-size:.78rem}
.version{margin:0;color:var(--soft)}
main{max-width:54rem;padding:2rem 2.5rem 6rem}
main h1{margin:0 0 .5rem}section>h2{margin:3rem 0 .25rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
article{margin:2rem 0;padding:1.25rem 1.5rem;border:1px solid var(--line);border-radius:.6rem}
article:target{border-color:var(--accent)}
h3{margin:0;font-size:1.05rem}h4{margin:1.2rem 0 .3rem;font-size:.78rem;text-transform:uppercase;letter-spacing:.05em;color:var(--soft)}
.summary{font-weight:600;margin:.5rem 0}.facts{color:var(--soft);font-size:.88rem;margin:.3rem 0}
b.get,b.post,b.patch,b.delete{font:700 .68rem/1 ui-monospace,monospace;flex:none;width:3.4em}
b.get{color:var(--get)}b.post{color:var(--post)}b.patch{color:var(--patch)}b.delete{color:var(--delete)}
h3 b.get,h3 b.post,h3 b.patch,h3 b.delete{font-size:.85rem}
code{font-family:ui-monospace,monospace;font-size:.9em}p code,td code{background:var(--well);padding:.08em .3em;border-radius:.25em}
pre{margin:0;padding:.9rem 1rem;overflow:auto;background:var(--well);border:1px solid var(--line);border-radius:.45rem;font-size:.86rem}
.table{overflow:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}
td{padding:.35rem .75rem .35rem 0;border-top:1px solid var(--line);vertical-align:top}.type{color:var(--soft);white-space:nowrap}
.statuses{margin:1rem 0 0}.status{font:600 .75rem/1 ui-monospace,monospace;padding:.25em .5em;border-radius:.3em;border:1px solid var(--line);color:var(--soft)}
.status.s2{color:var(--post)}.status.s4{color:var(--patch)}.status.s5{color:var(--delete)}
@media (max-width:52rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:1.25rem}}
`
