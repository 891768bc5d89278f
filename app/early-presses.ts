/**
 * Runs in the head of a page and answers presses that come before the page's own scripts. Links and forms of method GET
 * work by themselves; a filter that is changed sends its form. Of all other presses the last one is marked as busy, and
 * made once more when the page reports `cashier:hydrated` (components/shell/hydration-report.tsx), unless it is older than
 * 20 s. A part of the page that came late says by `data-scripts="off"` that its scripts have not run yet, and reports
 * when they have. Nothing that moves money is on a page before its scripts have run.
 */
export const EARLY_PRESSES = `(function(){
var pressed=null,live=true;
function mark(element,replay){
if(pressed)pressed.element.removeAttribute("aria-busy");
element.setAttribute("aria-busy","true");
pressed={element:element,replay:replay,at:Date.now()}}
function waits(element){return live||element.closest('[data-scripts="off"]')!==null}
function navigates(form){return form!==null&&form.getAttribute("method")==="get"}
addEventListener("click",function(event){
var button=event.target.closest&&event.target.closest("button");
if(button&&button.type==="button"&&waits(button))mark(button,function(){button.click()})},true);
addEventListener("submit",function(event){
var form=event.target;
if(!waits(form)||navigates(form))return;
event.preventDefault();
mark(event.submitter||form,function(){form.requestSubmit()})},true);
addEventListener("change",function(event){
var form=event.target.form;
if(event.target.tagName==="SELECT"&&navigates(form||null)&&waits(form))form.requestSubmit()},true);
addEventListener("cashier:hydrated",function(){
live=false;
var last=pressed;
if(!last||waits(last.element))return;
pressed=null;
last.element.removeAttribute("aria-busy");
if(last.element.isConnected&&Date.now()-last.at<20000)last.replay()})
})()`
