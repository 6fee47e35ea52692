export const HELP = `Sandpiper crawls a web site, keeps everything in one file, and carries on where it stopped.

  sandpiper crawl <url…>     crawl from one or more addresses
      --file F               the crawl file; by default <hostname>-<date>-<time>.sandpiper
      --settings S.json      settings from a file; flags beat it
      --max-pages N          stop after N pages
      --max-depth N          at most N links away from an address given
      --concurrency N        requests at a time, in all (64)
      --per-host N           requests at a time to one host (5)
      --delay MS             between request starts to one host (0)
      --include P            only URLs that match P; * matches anything, may be repeated
      --exclude P            no URLs that match P; beats --include, may be repeated
      --subdomains           also all hosts under the same registrable domain
      --no-robots            do not ask for robots.txt
      --no-sitemaps          do not read sitemaps
      --user-agent S         the name given to servers
      --header 'K: V'        sent to the hosts of the addresses given, may be repeated
      --timeout MS           for one whole request (60000)
      --max-body BYTES       largest decoded answer (10485760)
      --retries N            tries after the first (2)
      --export out.csv       write the pages when it ends
      --json                 print one JSON object when it ends
      --quiet                no progress

  sandpiper resume <file>    carry on with a crawl
      --max-pages N, --max-depth N, --export out.csv, --json, --quiet as above
      --retry-failed         try what failed again

  sandpiper export <file>    write a spreadsheet
      --view V               pages, queue, links, redirects, errors, images or sitemaps
      --format F             csv (default) or jsonl
      --preset P             excel (default) or data
      --output PATH          a file; - or nothing is the standard output

  sandpiper status <file>    what a crawl file holds
      --json                 as one JSON object

  sandpiper serve            the app in your browser, on this machine only
      --port N               a port; by default a free one
      --no-open              print the address and open nothing

  sandpiper demo             crawl a small site that comes with Sandpiper
  sandpiper --version
  sandpiper --help

Ctrl-C stops in good order: running requests get 3 seconds, then everything is saved. Twice ends at once.

Exit codes: 0 finished or own limit reached, 1 error, 2 usage, 3 not finished and resumable,
129, 130, 143 ended by SIGHUP, SIGINT, SIGTERM (progress saved).
`
