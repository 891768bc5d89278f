/**
 * Runs in the head of a page and answers presses that come before the page's own scripts. Links and forms of method GET
 * work by themselves; a filter that is changed sends its form. Of all other presses the last one is marked as busy, and
 * made once more when the page reports `cashier:hydrated` (components/shell/hydration-report.tsx), unless it is older than
 * 20 s. Nothing that moves money is on a page before its scripts have run.
 */
export const EARLY_PRESSES = `(function(){
var pressed=null,live=true;
function mark(element,replay){
if(pressed)pressed.element.removeAttribute("aria-busy");
element.setAttribute("aria-busy","true");
pressed={element:element,replay:replay,at:Date.now()}}
function navigates(form){return form!==null&&form.getAttribute("method")==="get"}
addEventListener("click",function(event){
if(!live)return;
var button=event.target.closest&&event.target.closest("button");
if(button&&button.type==="button")mark(button,function(){button.click()})},true);
addEventListener("submit",function(event){
var form=event.target;
if(!live||navigates(form))return;
event.preventDefault();
mark(event.submitter||form,function(){form.requestSubmit()})},true);
addEventListener("change",function(event){
var form=event.target.form;
if(live&&event.target.tagName==="SELECT"&&navigates(form||null))form.requestSubmit()},true);
addEventListener("cashier:hydrated",function(){
live=false;
var last=pressed;
pressed=null;
if(!last)return;
last.element.removeAttribute("aria-busy");
if(last.element.isConnected&&Date.now()-last.at<20000)last.replay()},{once:true})
})()`
