/**
 * Runs in the head of a page and handles presses that come before the page's own scripts have run.
 *
 * - Links and forms of method GET work without scripts. Offline they are stopped: the browser's error page would
 *   replace this page.
 * - A filter that changes sends its form.
 * - A button with `data-copy` copies that text at once and shows `data-copied-text` for a moment. If the browser
 *   refuses, the press waits like the others.
 * - Of all other presses the last one is marked as busy. It is repeated when the page reports `cashier:hydrated`
 *   (components/shell/hydration-report.tsx), however long that takes, so that no busy button ends without a result.
 *
 * `data-scripts="off"` marks the part of the page that waits for its scripts. React never sees these presses: it
 * listens before it has hydrated and would handle some of them a second time. A page has no control that moves money
 * before its scripts have run.
 */
export const EARLY_PRESSES = `(function(){
var pressed=null,sent=null;
function mark(element,replay){
if(!waits(element))return replay();
if(pressed)pressed.element.removeAttribute("aria-busy");
element.setAttribute("aria-busy","true");
pressed={element:element,replay:replay}}
function copy(button){
var clipboard=navigator.clipboard;
function later(){mark(button,function(){button.click()})}
if(!clipboard)return later();
clipboard.writeText(button.dataset.copy).then(function(){
var text=button.dataset.copiedText;
button.dataset.copied=text;
var status=document.createElement("p");
status.setAttribute("role","status");
status.className="sr-only";
document.body.append(status);
setTimeout(function(){status.textContent=text},100);
setTimeout(function(){status.remove();delete button.dataset.copied},2500)},later)}
function waits(element){return element.closest('[data-scripts="off"]')!==null}
function navigates(form){return form!==null&&form.getAttribute("method")==="get"}
addEventListener("click",function(event){
var link=event.target.closest&&event.target.closest("a[href]");
if(link&&!link.target&&waits(link)&&navigator.onLine===false){event.preventDefault();return}
var button=event.target.closest&&event.target.closest("button");
if(!button||button.type!=="button"||!waits(button))return;
event.stopPropagation();
if(button.dataset.copy)copy(button);
else mark(button,function(){button.click()})},true);
addEventListener("submit",function(event){
var form=event.target;
if(!waits(form))return;
if(navigates(form)){if(navigator.onLine===false)event.preventDefault();return}
event.preventDefault();
event.stopPropagation();
mark(event.submitter||form,function(){form.requestSubmit()})},true);
function filter(event){
var select=event.target;
if(event.type==="change"){if(select===sent)event.stopPropagation();sent=null;return}
if(select.tagName!=="SELECT"||!navigates(select.form)||!waits(select))return;
event.stopPropagation();
sent=select;
select.form.requestSubmit()}
addEventListener("input",filter,true);
addEventListener("change",filter,true);
addEventListener("cashier:hydrated",function(){
var last=pressed;
if(!last||waits(last.element))return;
pressed=null;
last.element.removeAttribute("aria-busy");
if(last.element.isConnected)last.replay()})
})()`
