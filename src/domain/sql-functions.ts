// The names that may precede a parenthesis in the SQL of a check. A function is listed if it computes from its arguments or
// reports the server's state. A function is not listed if it takes SQL as text, reaches files, the network, other sessions,
// settings or locks, changes anything or waits, or if no check needs it.
import type { SqlEngine } from './sql-tokens.ts';

const set = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(' ').split(' '));

/** Words of the language; they call nothing. */
export const SQL_WORDS = set(
  'select from where having when then else case in exists values over filter any all some and or not on using as by',
  'between like ilike similar to escape is regexp rlike union intersect except distinct limit offset first join',
  'lateral group rollup cube sets within with recursive materialized for partition window row array interval explain',
  'against index key columns of xor div binary zone',
);

const BOTH_TYPES =
  'char character varchar varying nchar text numeric decimal dec bit float double real int integer bigint smallint time ' +
  'timestamp varbinary';
const TYPES = {
  postgres: `${BOTH_TYPES} bpchar varbit timetz timestamptz`,
  mysql: `${BOTH_TYPES} datetime year tinyint mediumint signed unsigned nvarchar blob enum set`,
};

const BOTH =
  'count sum avg min max stddev stddev_pop stddev_samp var_pop var_samp variance bit_and bit_or bit_xor ' +
  'row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value grouping ' +
  'coalesce nullif greatest least cast extract abs ceil ceiling floor round sign sqrt exp ln log log10 mod pi power degrees ' +
  'radians sin cos tan cot asin acos atan atan2 upper lower length char_length character_length octet_length bit_length ' +
  'concat concat_ws left right lpad rpad ltrim rtrim trim replace reverse repeat substr substring position ascii md5 format ' +
  'regexp_replace regexp_substr regexp_instr regexp_like json_object json_array json_value json_query json_exists json_table ' +
  'json_arrayagg json_objectagg now age date current_date current_time current_timestamp localtime localtimestamp version ' +
  'current_user session_user current_role to_char to_days';

const FUNCTIONS = {
  postgres:
    'string_agg array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg bool_and bool_or every any_value corr covar_pop ' +
    'covar_samp regr_slope regr_intercept regr_r2 regr_count mode percentile_cont percentile_disc range_agg ' +
    'cbrt div factorial gcd lcm trunc width_bucket random min_scale scale trim_scale num_nulls num_nonnulls ' +
    'btrim chr initcap overlay split_part starts_with strpos translate to_hex to_number to_ascii quote_literal quote_ident ' +
    'quote_nullable normalize encode decode sha224 sha256 sha384 sha512 get_byte get_bit regexp_match regexp_matches ' +
    'regexp_count regexp_split_to_array regexp_split_to_table string_to_array string_to_table convert_from convert_to ' +
    'to_date to_timestamp clock_timestamp statement_timestamp transaction_timestamp timeofday date_part date_trunc date_bin ' +
    'date_add date_subtract justify_days justify_hours justify_interval make_date make_time make_timestamp make_timestamptz ' +
    'make_interval isfinite timezone time_bucket generate_series generate_subscripts unnest array_append array_cat array_dims ' +
    'array_fill array_length array_lower array_upper array_ndims array_position array_positions array_prepend array_remove ' +
    'array_replace array_to_string cardinality isempty lower_inc upper_inc lower_inf upper_inf range_merge int4range int8range ' +
    'numrange tsrange tstzrange daterange host hostmask masklen netmask network family broadcast inet_same_family ' +
    'to_json to_jsonb row_to_json array_to_json json_build_object json_build_array jsonb_build_object jsonb_build_array ' +
    'jsonb_object json_array_length jsonb_array_length json_each jsonb_each json_each_text jsonb_each_text ' +
    'json_extract_path jsonb_extract_path json_extract_path_text jsonb_extract_path_text json_object_keys jsonb_object_keys ' +
    'json_array_elements jsonb_array_elements json_array_elements_text jsonb_array_elements_text json_typeof jsonb_typeof ' +
    'json_to_record jsonb_to_record json_to_recordset jsonb_to_recordset json_strip_nulls jsonb_strip_nulls jsonb_set ' +
    'jsonb_insert jsonb_pretty jsonb_path_exists jsonb_path_match jsonb_path_query jsonb_path_query_array ' +
    'jsonb_path_query_first json_scalar json_serialize gen_random_uuid uuidv4 uuidv7 to_tsvector to_tsquery plainto_tsquery ' +
    'phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd numnode row_security_active ' +
    'current_database current_catalog current_schema current_schemas current_setting inet_server_addr inet_server_port ' +
    'pg_backend_pid pg_postmaster_start_time pg_conf_load_time pg_is_in_recovery pg_is_wal_replay_paused ' +
    'pg_get_wal_replay_pause_state pg_last_xact_replay_timestamp pg_last_wal_receive_lsn pg_last_wal_replay_lsn ' +
    'pg_current_wal_lsn pg_current_wal_insert_lsn pg_current_wal_flush_lsn pg_wal_lsn_diff pg_walfile_name ' +
    'pg_database_size pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size pg_tablespace_size ' +
    'pg_column_size pg_size_pretty pg_size_bytes pg_sequence_last_value pg_typeof pg_get_userbyid pg_encoding_to_char ' +
    'pg_xact_commit_timestamp mxid_age to_regclass to_regtype to_regnamespace to_regrole has_table_privilege ' +
    'has_schema_privilege has_database_privilege has_column_privilege has_sequence_privilege pg_has_role format_type',
  mysql:
    'group_concat std any_value bit_count conv crc32 log2 pow rand truncate isnull ifnull if nvl nvl2 interval elt field ' +
    'find_in_set make_set export_set char bin oct ord hex unhex insert instr locate lcase ucase mid quote soundex space strcmp ' +
    'substring_index to_base64 from_base64 sha sha1 sha2 weight_string match convert collation charset coercibility ' +
    'adddate addtime convert_tz curdate curtime date_add date_sub date_format datediff day dayname dayofmonth dayofweek ' +
    'dayofyear from_days from_unixtime get_format hour last_day makedate maketime microsecond minute month monthname ' +
    'period_add period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time_format time_to_sec timediff ' +
    'timestampadd timestampdiff to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday weekofyear yearweek ' +
    'json_extract json_unquote json_quote json_length json_depth json_type json_valid json_keys json_search json_contains ' +
    'json_contains_path json_overlaps json_merge_patch json_merge_preserve json_set json_insert json_replace json_remove ' +
    'json_pretty json_storage_size json_compact json_detailed json_loose json_equals json_normalize inet_aton inet_ntoa ' +
    'inet6_aton inet6_ntoa is_ipv4 is_ipv6 is_uuid uuid uuid_to_bin bin_to_uuid user system_user database schema ' +
    'connection_id found_rows row_count gtid_subset gtid_subtract format_bytes format_pico_time chr median ' +
    'percentile_cont percentile_disc',
};

/** By engine: functions that may be called, in lower case. */
export const SQL_FUNCTIONS: Readonly<Record<SqlEngine, ReadonlySet<string>>> = {
  postgres: set(BOTH, FUNCTIONS.postgres, TYPES.postgres),
  mysql: set(BOTH, FUNCTIONS.mysql, TYPES.mysql),
};

/** Values of PostgreSQL that are called without parentheses; FROM treats them as functions. */
export const SQL_VALUES = set(
  'current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime',
  'localtimestamp session_user system_user user',
);
