/** The style of documents that need no render: the parts of the pages' style (app/globals.css) that they need. */
import { themeColours } from './theme-colours.ts'

const NAMES = ['bg', 'surface', 'ink', 'ink-2', 'accent', 'on-accent'] as const
const [LIGHT, DARK] = [themeColours('light', NAMES), themeColours('dark', NAMES)]

export const DOCUMENT_STYLE = `
:root{${LIGHT};--radius:.875rem;
--font:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
[data-theme=dark]{${DARK}}
@media (prefers-color-scheme:dark){[data-theme=auto]{${DARK}}}
html{background:var(--surface);color:var(--ink);font-family:var(--font);-webkit-text-size-adjust:100%}
body{margin:0;font-size:.9375rem;line-height:1.45;overflow-wrap:break-word}
.page{margin-inline:auto;max-width:34rem;background:var(--surface)}
section{display:grid;justify-items:center;gap:.75rem;padding:2.5rem min(1.75rem,6vw);text-align:center}
h1{margin:0;font-size:1.125rem;font-weight:620;text-wrap:balance}
p{margin:0;max-width:22rem;color:var(--ink-2);text-wrap:pretty}
svg{fill:none;stroke:var(--ink-2);stroke-width:1.6;stroke-linecap:round}
[hidden],[data-framed] .top-only{display:none!important}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.button{display:inline-flex;align-items:center;box-sizing:border-box;min-height:3rem;padding:.375rem 1rem;
border-radius:var(--radius);background:var(--accent);color:var(--on-accent);font-weight:620;text-decoration:none}
.reference{display:grid;justify-items:center;max-width:100%;color:var(--ink-2);font-size:.84375rem}
.reference div{display:flex;align-items:center;gap:.25rem}
.reference button{display:grid;place-items:center;width:2.25rem;height:2.25rem;padding:0;border:0;border-radius:.625rem;
background:transparent;cursor:pointer}
.reference bdi{font:.78125rem/1.45 ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;
max-width:100%;overflow-wrap:anywhere}
.support{display:inline-flex;gap:.25rem;align-items:center;min-height:1.5rem;color:var(--accent);font-size:.84375rem;
font-weight:620;text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media (min-width:40rem){html:not([data-framed]){background:var(--bg)}
html:not([data-framed]) body{display:flow-root;min-height:100dvh}
html:not([data-framed]) .page{margin-block:1.5rem;border-radius:calc(var(--radius) + 6px)}}
`
