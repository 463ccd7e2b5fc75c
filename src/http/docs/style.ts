/** The style sheet of the API reference: the colours and types of the console. Inlined, so that the page needs one request. */
export const docsStyle = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf8,#14171a);--card:light-dark(#fff,#1b1f23);--well:light-dark(#f3f1ed,#22272c);
--line:light-dark(#e2ded7,#323940);--ink:light-dark(#1d2024,#e9ebed);--soft:light-dark(#5a5e64,#a3abb3);--accent:light-dark(#0b6e5c,#58c9ae);
--warn:light-dark(#7a4f00,#e3b25a);--bad:light-dark(#a8261c,#f29a90);--mono:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;
--serif:ui-serif,"Iowan Old Style",Charter,Georgia,"Liberation Serif",serif}
*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%;text-size-adjust:100%}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
body{margin:0;display:grid;grid-template-columns:19rem minmax(0,1fr);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;color:var(--ink);background:var(--paper)}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:.35rem}
.skip{position:absolute;left:-99rem;padding:.5rem 1rem;background:var(--card);z-index:1}.skip:focus{left:1rem;top:1rem}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem 2rem;border-right:1px solid var(--line);font-size:.85rem}
.brand{margin:0 .35rem;font:500 1.25rem/1.3 var(--serif)}.brand span{color:var(--soft);font:.8rem/1 var(--mono);margin-left:.3rem}
.elsewhere{display:flex;gap:1rem;margin:.4rem .35rem 0}
nav summary{display:none}nav details::details-content{content-visibility:visible}
nav h2{font-size:.75rem;font-weight:600;color:var(--soft);margin:1.5rem .35rem .3rem}
nav ul{list-style:none;margin:0;padding:0}nav li a{display:flex;gap:.4rem;align-items:baseline;padding:.22rem .35rem;border-radius:.35rem;color:inherit;text-decoration:none}
nav li a:hover{background:var(--well)}nav li span{overflow-wrap:anywhere;font:.78rem/1.4 var(--mono)}
main{max-width:56rem;padding:2.5rem 3rem 6rem;min-width:0;overflow-wrap:anywhere}
h1{margin:0 0 .75rem;font:500 clamp(1.7rem,1.3rem + 1.4vw,2.3rem)/1.15 var(--serif);letter-spacing:-.015em}
.lead{font-size:1.08rem;color:var(--soft);text-wrap:pretty}
main h2{margin:3rem 0 .5rem;font:500 1.45rem/1.2 var(--serif)}
article{margin:1.5rem 0;padding:1.4rem 1.6rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
article:target{border-color:var(--accent)}
h3{margin:0;font-size:1.05rem;line-height:1.4}h3 code{font-weight:600}
h4{margin:1.4rem 0 .4rem;font-size:.82rem;font-weight:600;color:var(--soft)}
.summary{font-weight:600;margin:.5rem 0}.facts{color:var(--soft);font-size:.88rem;margin:.4rem 0}
.method{font:700 .68rem/1 var(--mono);flex:none;width:3.9em;color:var(--accent)}.method.get{color:var(--soft)}.method.delete{color:var(--bad)}
h3 .method{font-size:.85rem;margin-right:.2rem}
code{font-family:var(--mono);font-size:.88em}p code,td code{background:var(--well);padding:.08em .3em;border-radius:.25em}
pre{margin:0;padding:.9rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--well);border-radius:.5rem;font-size:.86rem;line-height:1.5}
table{border-collapse:collapse;width:100%;font-size:.88rem}
th{text-align:left;font-weight:600;color:var(--soft);padding:.4rem .75rem .4rem 0}
td{padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line);vertical-align:top}
.fields td:first-child{width:30%}.type{width:18%;color:var(--soft)}
.plain{overflow-wrap:normal}.plain td+td,.plain th+th{text-align:right;font-variant-numeric:tabular-nums}
.statuses{margin:1.2rem 0 0;display:flex;flex-wrap:wrap;gap:.4rem}
.status{font:600 .75rem/1 var(--mono);padding:.3em .5em;border-radius:.35em;background:var(--well);color:var(--soft)}
.status.s2{color:var(--accent)}.status.s5{color:var(--bad)}
@media (max-width:56rem){body{display:block}main{padding:1.5rem 1rem 4rem;max-width:none}article{padding:1.1rem 1rem}
nav{position:static;height:auto;padding:1rem;border-right:0;border-bottom:1px solid var(--line)}
nav .brand,nav .elsewhere{display:inline-flex;align-items:baseline;margin:0 1rem 0 0}
nav summary{display:list-item;margin-top:.75rem;padding:.5rem 0;cursor:pointer;font-weight:600}
nav details:not([open])::details-content{content-visibility:hidden}nav li a{padding:.5rem 0}
.fields tr{display:block;padding:.5rem 0;border-top:1px solid var(--line)}
.fields td,.fields td:first-child{display:inline;width:auto;border:0;padding:0 .4rem 0 0}.fields td:last-child{display:block}}
`
