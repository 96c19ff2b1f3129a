module github.com/etl2parquet/etl2parquet

go 1.26
