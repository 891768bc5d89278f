/**
 * The last child of an element of class `shown-whole`, in which later HTML would move earlier content, as in a centred
 * line. On a slow network a browser paints the HTML that it has read so far, so app/globals.css hides the element until
 * this end arrives, without a script.
 */
export const WholeEnd = () => <template className="whole-end" />
