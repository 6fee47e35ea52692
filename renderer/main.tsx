import './styles/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createLibraryStore } from './state/library-store.ts'
import { chooseTransport } from './transport/choose-transport.ts'
import { LibraryView } from './views/library-view.tsx'

const useLibrary = createLibraryStore(chooseTransport())
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <LibraryView useLibrary={useLibrary} />
    </StrictMode>,
  )
}
