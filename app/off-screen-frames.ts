/**
 * Runs in the head of a page, before React's scripts. A browser draws no frames for a page that the merchant's page has
 * off the screen or in a tab behind others, and React waits for the next frame to show what comes late in the response.
 * So while the page loads, an animation frame comes after 100 ms at the latest. Later only real frames count: they tell
 * that a question is on the screen (components/withdraw/press-delay.ts).
 */
export const OFF_SCREEN_FRAMES = `(function(){
if(parent===window)return;
var frame=requestAnimationFrame,cancel=cancelAnimationFrame,timers={};
requestAnimationFrame=function(run){
var id=frame(function(time){clearTimeout(timers[id]);run(time)});
timers[id]=setTimeout(function(){cancel(id);run(performance.now())},100);
return id};
cancelAnimationFrame=function(id){clearTimeout(timers[id]);cancel(id)};
addEventListener("load",function(){setTimeout(function(){requestAnimationFrame=frame},1000)})
})();`
