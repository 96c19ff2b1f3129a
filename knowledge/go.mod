// The facts are a module of their own, so that the main module does not contain them.
module github.com/etl2parquet/etl2parquet/knowledge

go 1.26.0
