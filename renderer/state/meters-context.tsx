import { createContext, useContext } from 'react'
import type { RateMeter } from './rate-meter.ts'

const MetersContext = createContext<ReadonlyMap<string, RateMeter>>(new Map())

/** How fast each running crawl goes, by id. */
export const MetersProvider = MetersContext.Provider
export const useMeter = (id: string): RateMeter | undefined => useContext(MetersContext).get(id)
