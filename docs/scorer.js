// Ranks the results of the search: pages whose title has the words of the query come first.
var Scorer = {
  score: ([docname, title, anchor, description, score, filename]) => {
    const query = new URLSearchParams(window.location.search).get("q") || "";
    const words = query.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 2);
    const stems = words.map((word) => word.slice(0, Math.max(4, word.length - 2)));
    const own = title.toLowerCase().split(/[^a-z0-9]+/);
    const found = stems.filter((stem) => own.some((word) => word.startsWith(stem))).length;
    return score + (words.length ? (30 * found) / words.length : 0) + (docname.startsWith("cookbook/") ? 1 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
