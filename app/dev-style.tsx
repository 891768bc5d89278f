import './globals.css'

export default function DevStyle() {
  return null
}
