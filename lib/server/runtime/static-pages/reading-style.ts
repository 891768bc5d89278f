/** The style of documents to read: the page of the merchant API, and the site of the documentation (scripts/site). */
import { themeColours } from './theme-colours.ts'

const DARK = themeColours('dark')

export const READING_STYLE = `
:root{${themeColours('light')};--radius:.875rem;--radius-s:.625rem;
--font:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;
--mono:ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{background:var(--bg);color:var(--ink);font-family:var(--font);-webkit-text-size-adjust:100%;scroll-padding-top:4.5rem}
body{margin:0;font-size:.9375rem;line-height:1.55;overflow-wrap:break-word}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance;font-weight:620}
h1{margin:0 0 .75rem;font-size:1.75rem;letter-spacing:-.01em}
h2{margin:2.5rem 0 .75rem;font-size:1.25rem}
h3{margin:2rem 0 .5rem;font-size:1.0625rem}
h4{margin:1.25rem 0 .375rem;font-size:.9375rem}
p,ul,ol,dl,pre,table,figure{margin:.625rem 0}
ul,ol{padding-inline-start:1.375rem}
li{margin:.25rem 0}
a{color:var(--accent);text-underline-offset:3px}
code,pre,.method,.path{font-family:var(--mono);font-size:.8125rem}
code{padding:.0625rem .25rem;border-radius:.3125rem;background:var(--sunken);overflow-wrap:anywhere}
pre{padding:.75rem .875rem;border:1px solid var(--line);border-radius:var(--radius-s);background:var(--sunken);
white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5}
pre code{padding:0;background:none}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:var(--radius-s)}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.875rem}
th,td{padding:.375rem .625rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:.25rem}
.skip{position:absolute;inset-inline-start:.5rem;top:-4rem;padding:.5rem .75rem;background:var(--surface);z-index:3}
.skip:focus{top:.5rem}
.top{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;min-height:3.5rem;
padding:.5rem min(1.25rem,4vw);border-bottom:1px solid var(--line);background:var(--surface)}
.top a{color:inherit;text-decoration:none}
.name{font-weight:700;font-size:1.0625rem}
.version{color:var(--ink-2);font-size:.84375rem}
.frame{display:grid;grid-template-columns:minmax(0,1fr);max-width:78rem;margin:0 auto}
main{min-width:0;padding:1.75rem min(1.25rem,4vw) 4rem}
main:focus{outline:none}
.card{padding:1.125rem min(1.25rem,4vw);margin:1rem 0;border:1px solid var(--line);border-radius:var(--radius);background:var(--surface)}
.card>:first-child{margin-top:0}
.card>:last-child{margin-bottom:0}
.menu{padding:.25rem min(1.25rem,4vw);border-bottom:1px solid var(--line);background:var(--surface)}
summary{min-height:2.75rem;padding:.625rem 0;font-weight:620;cursor:pointer}
.menu ul{list-style:none;margin:0 0 1rem;padding:0}
.menu li{margin:0}
.menu a{display:block;padding:.375rem .5rem;border-radius:.5rem;color:var(--ink-2);text-decoration:none;font-size:.875rem}
.menu a:hover,.menu [aria-current]{background:var(--accent-soft);color:var(--ink)}
.menu h2{margin:1rem .5rem .25rem;font-size:.78125rem;font-weight:620;color:var(--ink-3)}
input,textarea,select,button{font:inherit;color:inherit}
input,textarea,select{width:100%;min-height:2.75rem;padding:.5rem .625rem;border:1px solid color-mix(in srgb,var(--ink-3) 80%,var(--surface));
border-radius:var(--radius-s);background:var(--surface)}
textarea{min-height:8rem;font-family:var(--mono);font-size:.8125rem;resize:vertical}
label{display:block;margin:.625rem 0;font-weight:500;font-size:.875rem}
label>:is(input,textarea,select){display:block;margin-top:.25rem;font-weight:400}
button{min-height:2.75rem;padding:.375rem 1rem;border:1px solid var(--line);border-radius:var(--radius-s);background:var(--surface);
font-weight:620;cursor:pointer}
button.main{border:0;background:var(--accent);color:var(--on-accent)}
.note{color:var(--ink-2)}
html:not([data-scripts]) .needs-script,[hidden]{display:none!important}
@media (min-width:60rem){
.frame{grid-template-columns:17rem minmax(0,1fr)}
main{padding:2rem 2rem 5rem;max-width:56rem}
nav{position:sticky;top:3.5rem;align-self:start;max-height:calc(100dvh - 3.5rem);overflow-y:auto}
.menu{border:0;background:none;padding-block:1rem}
[data-scripts] .menu>summary{display:none}
}
`
