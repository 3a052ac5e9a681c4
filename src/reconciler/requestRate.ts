/**
 * How many requests go to each cluster: two and a half times the client's usual 20 a second with bursts of 40.
 *
 * A Job costs the management cluster six to seven requests (two patches of the Job, two Events, two or three of its
 * status) and its worker two. Measured on embedded clusters: at the usual rate, 40 Jobs that come together all run after
 * 9 s, and of 300 three a second start; at this one after 1.5 s, without any limit after 1.4 s, and eight a second. In
 * none of these runs was a lease lost: leases and deletions have tokens of their own, and a server that has too much to
 * do says 429, which halves the rate.
 */
export const requestRate = { perSecond: 50, burst: 100 } as const;
