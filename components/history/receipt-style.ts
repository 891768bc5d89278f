/**
 * The style of a receipt, on the screen, on paper and in a saved file. It comes with the receipt's code: in the page's
 * own style it would be sent with every first page. A receipt is dark on white in every theme, like the paper.
 */
export const RECEIPT_CSS = `
.receipt{background:#fff;color:#14171f;font:.9375rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;padding:20px}
.receipt header{display:flex;flex-wrap:wrap;justify-content:space-between;gap:4px 16px;align-items:baseline}
.receipt h2,.receipt p{margin:0}
.receipt h2{font-size:1.25rem;font-weight:650;overflow-wrap:anywhere}
.receipt .small{font-size:.8125rem;color:#565d6d}
.receipt .sum{font-size:1.5rem;font-weight:650;margin-top:14px;overflow-wrap:anywhere}
.receipt dl{margin:14px 0 0;border-top:1px solid #d7dbe3}
.receipt dl>div{display:grid;grid-template-columns:minmax(0,9.5em) minmax(0,1fr);gap:0 14px;padding:7px 0;border-bottom:1px solid #d7dbe3}
.receipt dt{font-size:.8125rem;line-height:1.65;color:#565d6d}
.receipt dd{margin:0;overflow-wrap:anywhere}
.receipt .long{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.8125rem;line-height:1.65}
.receipt .end{margin-top:14px}
@media (max-width:26em){.receipt{padding:14px}.receipt dl>div{grid-template-columns:minmax(0,1fr)}}
`

/** On paper there is the receipt alone. */
export const PRINT_CSS = `
.receipt-sheet{display:none}
@media print{
@page{margin:16mm}
html,body{background:#fff!important;height:auto!important;min-height:0!important;overflow:visible!important}
body>:not(.receipt-sheet){display:none!important}
.receipt-sheet{display:block}
.receipt-sheet .receipt{padding:0}
}
`
