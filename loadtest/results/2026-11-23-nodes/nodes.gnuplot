set output 'nodes.svg'
set terminal svg size 1000,800 font 'sans,12' background '#ffffff'
set datafile missing '?'
set key bottom right
set grid
set logscale x 2
set yrange [0:*]
set xlabel 'nodes'
set multiplot layout 2,2 title 'The same HSM at the same load, shared by so many nodes'
set ylabel 'certificates/s'
plot 'nodes.tsv' index 0 using 1:2 with linespoints title 'x0.8', 'nodes.tsv' index 1 using 1:2 with linespoints title 'x1.5'
set ylabel 'CPU, us a certificate'
plot 'nodes.tsv' index 0 using 1:3 with linespoints title 'x0.8 nodes', 'nodes.tsv' index 1 using 1:3 with linespoints title 'x1.5 nodes', 'nodes.tsv' index 0 using 1:4 with linespoints title 'x0.8 database', 'nodes.tsv' index 1 using 1:4 with linespoints title 'x1.5 database'
set ylabel 'answer, ms from when it was due'
plot 'nodes.tsv' index 0 using 1:5 with linespoints title 'x0.8 p50', 'nodes.tsv' index 1 using 1:5 with linespoints title 'x1.5 p50', 'nodes.tsv' index 0 using 1:6 with linespoints title 'x0.8 p99', 'nodes.tsv' index 1 using 1:6 with linespoints title 'x1.5 p99'
set ylabel 'jobs in the HSM''s queue'
plot 'nodes.tsv' index 0 using 1:7 with linespoints title 'x0.8 p99', 'nodes.tsv' index 1 using 1:7 with linespoints title 'x1.5 p99', 'nodes.tsv' index 0 using 1:8 with lines dashtype 2 title 'bound'
unset multiplot
