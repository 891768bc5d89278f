/**
 * Runs in the head of a page and watches for scripts that do not arrive before the page works: without them no button
 * does anything, and nothing else would load them again. The page then shows the hidden text `#scripts-missing`
 * (components/shell/shell.tsx) without the browser's scroll anchoring, which would move it off the screen. It is loaded
 * again once the server answers: without an answer the browser's error page would replace it. After one reload it waits
 * longer, so that a page whose scripts never come may be read; a press or the network's return ends the wait.
 *
 * The script of /embed watches the page that it writes (lib/embed/frame/write-page.ts).
 */
export const MISSING_SCRIPTS = `(function(){
if(window.cashierArrivedMs!==undefined)return;
var works=false,timer=0;
function ask(){
clearInterval(timer);
timer=setInterval(ask,2000);
fetch("/embed",{method:"HEAD"}).then(function(answer){
if(answer.ok&&!works){clearInterval(timer);location.reload()}},function(){})}
function show(){
var text=document.getElementById("scripts-missing");
document.documentElement.style.overflowAnchor="none";
if(text)text.hidden=false}
addEventListener("error",function(event){
if(works||timer||event.target.tagName!=="SCRIPT")return;
var page=performance.getEntriesByType("navigation")[0];
timer=setInterval(ask,page&&page.type==="reload"?30000:2000);
if(document.readyState==="loading")addEventListener("DOMContentLoaded",show);
else show()},true);
addEventListener("click",function(event){
var button=event.target.closest&&event.target.closest("button");
if(timer&&button&&button.type!=="submit")ask()},true);
addEventListener("submit",function(event){if(timer&&event.target.getAttribute("method")!=="get")ask()},true);
addEventListener("online",function(){if(timer)ask()});
addEventListener("cashier:hydrated",function(){works=true;clearInterval(timer);timer=0})
})();`
