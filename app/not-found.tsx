/**
 * For a path that Next does not find in development; otherwise a static page answers (lib/server/runtime/static-pages).
 * The data of each page contains it, so it is small.
 */
export default function NotFound() {
  return (
    <html lang="en">
      <body>There is no such page.</body>
    </html>
  )
}
