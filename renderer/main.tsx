import './styles/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createLibraryStore } from './state/library-store.ts'
import { httpTransport } from './transport/http-transport.ts'
import { LibraryView } from './views/library-view.tsx'

const useLibrary = createLibraryStore(httpTransport())
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <LibraryView useLibrary={useLibrary} />
    </StrictMode>,
  )
}
