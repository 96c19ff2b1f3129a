"""Reports the metadata of every file of a dataset, and whether its rows have the declared order.

Question: {root}.
Answer: [{table, groups, types: [[name, physical, logical]], sorting: [[name, descending, nulls_first]], unsorted}].
"""
import glob
import json
import os
import sys

import pyarrow.parquet

root = json.load(sys.stdin)["root"]
answer = []
for path in sorted(glob.glob(glob.escape(root) + "/*/*.parquet")):
    file = pyarrow.parquet.ParquetFile(path)
    meta = file.metadata
    sorting, unsorted = [], 0
    for g in range(meta.num_row_groups):
        group = meta.row_group(g)
        sorting = [[meta.schema.column(s.column_index).path, s.descending, s.nulls_first] for s in group.sorting_columns]
        if sorting:
            columns = file.read_row_group(g, columns=[s[0] for s in sorting]).to_pydict()
            keys = list(zip(*([((v is None) != s[2], v) if v is not None else ((v is None) != s[2],) for v in columns[s[0]]]
                              for s in sorting)))
            unsorted += sum(b < a for a, b in zip(keys, keys[1:]))
    leaves = [meta.schema.column(i) for i in range(meta.num_columns)]
    answer.append({"table": path[len(root):].strip(os.sep).split(os.sep)[0], "groups": meta.num_row_groups, "sorting": sorting,
                   "unsorted": unsorted, "types": [[c.path, c.physical_type, str(c.logical_type)] for c in leaves]})
print(json.dumps(answer))
