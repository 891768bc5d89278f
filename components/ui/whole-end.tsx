/**
 * The last child of an element of class `shown-whole`: one whose later HTML would move what came before, as a centred line
 * does. On a slow network a browser paints what it has read so far, so the element shows once this end is there
 * (app/globals.css), without any script.
 */
export const WholeEnd = () => <template className="whole-end" />
